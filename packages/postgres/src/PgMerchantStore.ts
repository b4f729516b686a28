import type { Merchant, Settings } from "@countersign/core"
import { Conflict, type MerchantRecord, MerchantStore, type Outgoing, StoreError } from "@countersign/core/storage"
import { Effect } from "effect"
import * as Batcher from "./Batcher.ts"
import { credentialColumns, credentialOf, credentialParameters, insertCredentials } from "./credentialRows.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import { instant, int, ints, storable, text, texts } from "./parameters.ts"
import { encode } from "./outboxParts.ts"
import { type OutboxStatement, outboxStatement } from "./outboxStatement.ts"
import type { PgOutbox } from "./PgOutbox.ts"

export const create = outboxStatement({
  own: `m as (
  insert into merchant (id, name, status, created_at) values ($1, $2, $3, $4)
), e as (
  insert into environment (id, merchant_id, kind, settings, settings_version)
  select * from unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::int[])
), c as (${insertCredentials(10)}
), ok as materialized (
  select 1 as n
)`,
  parameters: 19,
  answer: "n"
})

const merchantColumns = "m.id, m.name, m.status, m.created_at"
const environmentColumns = "e.id, e.merchant_id, e.kind, e.settings, e.settings_version"

export const access = `
select i.n::int, ${merchantColumns}, ${environmentColumns}, ${credentialColumns}
from unnest($1::text[]) with ordinality as i(id, n)
cross join lateral (select * from credential where id = i.id offset 0) c
cross join lateral (select * from environment where id = c.environment offset 0) e
cross join lateral (select * from merchant where id = e.merchant_id offset 0) m`

export const environment = `
select ${merchantColumns}, ${environmentColumns}
from environment e join merchant m on m.id = e.merchant_id where e.id = $1`

/** One statement, so that all of a record is of one moment. */
export const get = `
select ${merchantColumns}, ${environmentColumns}, ${credentialColumns}
from merchant m
left join environment e on e.merchant_id = m.id
left join credential c on c.environment = e.id
where m.id = $1 order by e.id, c.id`

export const list = `select ${merchantColumns} from merchant m where m.id > $1 order by m.id limit $2`

/** What can change of a merchant is so little that it guards itself: no version is counted beside it. */
export const change = outboxStatement({
  own: `changed as (
  update merchant set name = $4, status = $5 where id = $1 and name = $2 and status = $3 returning 1
), ok as materialized (
  select 1 as n from changed
)`,
  parameters: 5,
  answer: "n"
})

export const saveSettings = outboxStatement({
  own: `saved as (
  update environment set settings = $3, settings_version = settings_version + 1
  where id = $1 and settings_version = $2 returning 1
), ok as materialized (
  select 1 as n from saved
)`,
  parameters: 3,
  answer: "n"
})

const merchantOf = (row: Row, at = 0): Merchant.Merchant => ({
  id: row[at] as string,
  name: row[at + 1] as string,
  status: row[at + 2] as Merchant.MerchantStatus,
  createdAt: (row[at + 3] as Date).getTime()
})

const environmentOf = (row: Row, at: number): Merchant.Environment => ({
  id: row[at] as string,
  merchantId: row[at + 1] as string,
  kind: row[at + 2] as Merchant.EnvironmentKind,
  settings: JSON.parse(row[at + 3] as string) as Partial<Settings>,
  settingsVersion: row[at + 4] as number
})

const recordOf = (rows: ReadonlyArray<Row>): MerchantRecord | null => {
  if (rows[0] === undefined) return null
  const environments = new Map<string, Merchant.Environment>()
  const credentials: Array<Merchant.Credential> = []
  for (const row of rows) {
    if (row[4] !== null) environments.set(row[4] as string, environmentOf(row, 4))
    if (row[9] !== null) credentials.push(credentialOf(row, 9))
  }
  return { merchant: merchantOf(rows[0]), environments: [...environments.values()], credentials }
}

/** A key that exists is somebody else's commit, not a failure. */
const takenOr = (operation: string, key: string) =>
  Effect.mapError((failure: PgFailure) =>
    failure.sqlState === "23505" ? new Conflict({ key }) : failure.toStoreError(`MerchantStore.${operation}`)
  )

const failed = (operation: string) =>
  Effect.mapError((failure: PgFailure) => failure.toStoreError(`MerchantStore.${operation}`))

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase

  /** Runs one of the statements above: where it found nothing to change, somebody else was faster. */
  const write = (operation: string, statement: OutboxStatement, own: ReadonlyArray<unknown>, change: Outgoing) =>
    Effect.suspend(() => outbox.run(statement, own, [encode(change)])).pipe(
      takenOr(operation, String(own[0])),
      Effect.flatMap(([row]) => {
        if (row === undefined) return Effect.fail(new Conflict({ key: String(own[0]) }))
        outbox.committed(change)
        return Effect.void
      })
    )

  const accesses = yield* Batcher.make<string, Row | null>({
    operation: "MerchantStore.access",
    keyOf: (id) => id,
    sameKey: "share",
    run: (ids) =>
      Effect.map(database.query(access, [texts(ids)]), (rows) => {
        const found = new Array<Row | null>(ids.length).fill(null)
        for (const row of rows) found[(row[0] as number) - 1] = row
        return found
      })
  })

  return MerchantStore.of({
    create: (change) => {
      const { credentials, environments, merchant } = change
      const names = [
        merchant.id,
        merchant.name,
        ...environments.map(({ id }) => id),
        ...credentials.map(({ id }) => id)
      ]
      if (!names.every(storable)) {
        return Effect.fail(
          new StoreError({ operation: "MerchantStore.create", cause: new Error("not text that Postgres can keep") })
        )
      }
      const own = [
        text(merchant.id),
        text(merchant.name),
        text(merchant.status),
        instant(merchant.createdAt),
        texts(environments.map(({ id }) => id)),
        texts(environments.map(({ merchantId }) => merchantId)),
        texts(environments.map(({ kind }) => kind)),
        texts(environments.map(({ settings }) => JSON.stringify(settings))),
        ints(environments.map(({ settingsVersion }) => settingsVersion)),
        ...credentialParameters(credentials)
      ]
      return write("create", create, own, change)
    },
    access: (id) =>
      storable(id)
        ? Effect.map(accesses.submit(id), (row) =>
            row === null
              ? null
              : { merchant: merchantOf(row, 1), environment: environmentOf(row, 5), credential: credentialOf(row, 10) }
          )
        : Effect.succeed(null),
    environment: (id) =>
      storable(id)
        ? Effect.map(database.query(environment, [text(id)]), ([row]) =>
            row === undefined ? null : { merchant: merchantOf(row), environment: environmentOf(row, 4) }
          ).pipe(failed("environment"))
        : Effect.succeed(null),
    get: (id) =>
      storable(id) ? Effect.map(database.query(get, [text(id)]), recordOf).pipe(failed("get")) : Effect.succeed(null),
    list: ({ after, limit }) =>
      storable(after ?? "")
        ? Effect.map(database.query(list, [text(after ?? ""), int(limit)]), (rows) =>
            rows.map((row) => merchantOf(row))
          ).pipe(failed("list"))
        : Effect.succeed([]),
    change: (given) => {
      const { from, to } = given
      if (![from.id, from.name, to.name].every(storable)) {
        return Effect.fail(
          new StoreError({ operation: "MerchantStore.change", cause: new Error("not text that Postgres can keep") })
        )
      }
      const own = [text(from.id), text(from.name), text(from.status), text(to.name), text(to.status)]
      return write("change", change, own, given)
    },
    saveSettings: (given) => {
      const { environment, settings, version } = given
      const own = [text(environment), int(version), text(JSON.stringify(settings))]
      return write("saveSettings", saveSettings, own, given)
    }
  })
})
