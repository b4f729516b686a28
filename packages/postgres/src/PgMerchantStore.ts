import type { Merchant } from "@countersign/core"
import { MerchantStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { credential, insertCredentials } from "./credentialTable.ts"
import { lookup } from "./lookup.ts"
import { outboxStatement } from "./outboxStatement.ts"
import { int, text } from "./parameters.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { commitsOf, queriesOf } from "./storeQueries.ts"
import * as Table from "./table.ts"

const merchant = Table.rows<Merchant.Merchant>()("merchant", ["id"], {
  id: Table.text,
  name: Table.text,
  status: Table.word,
  createdAt: Table.time
})

const place = Table.rows<Merchant.Environment>()("environment", ["id"], {
  id: Table.text,
  merchantId: Table.text,
  kind: Table.word,
  settings: Table.json,
  settingsVersion: Table.int
})

/** The first column of the environment and of the key in a row that starts with the merchant. */
const behindMerchant = merchant.selected
const behindEnvironment = behindMerchant + place.selected

export const create = outboxStatement({
  own: `m as (
  insert into merchant (${merchant.columns.join(", ")})
  values (${merchant.columns.map((_, i) => `$${i + 1}`).join(", ")})
), e as (
  insert into environment (${place.columns.join(", ")})
  select * from unnest(${place.given(behindMerchant + 1)})
), c as (${insertCredentials(behindEnvironment + 1)}
), ok as materialized (
  select 1 as n
)`,
  parameters: behindEnvironment + credential.names.length,
  answer: "n"
})

export const access = `
select i.n::int, ${merchant.select("m")}, ${place.select("e")}, ${credential.select("c")}
from unnest($1::text[]) with ordinality as i(id, n)
cross join lateral (select * from credential where id = i.id offset 0) c
cross join lateral (select * from environment where id = c.environment offset 0) e
cross join lateral (select * from merchant where id = e.merchant_id offset 0) m`

export const environment = `
select ${merchant.select("m")}, ${place.select("e")}
from environment e join merchant m on m.id = e.merchant_id where e.id = $1`

/** One statement, so that all parts of a record come from one snapshot. */
export const get = `
select ${merchant.select("m")}, ${place.select("e")}, ${credential.select("c")}
from merchant m
left join environment e on e.merchant_id = m.id
left join credential c on c.environment = e.id
where m.id = $1 order by e.id, c.id`

export const list = `select ${merchant.select("m")} from merchant m where m.id > $1 order by m.id limit $2`

/** The changeable columns are few, so the old values guard the update. The table has no version. */
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

const recordOf = (rows: ReadonlyArray<Row>): MerchantStore.Record | null => {
  if (rows[0] === undefined) return null
  const environments = new Map<string, Merchant.Environment>()
  const credentials: Array<Merchant.Credential> = []
  for (const row of rows) {
    const id = row[behindMerchant] as string | null
    if (id !== null) environments.set(id, place.decode(row, behindMerchant))
    if (row[behindEnvironment] !== null) credentials.push(credential.decode(row, behindEnvironment))
  }
  return { merchant: merchant.decode(rows[0]), environments: [...environments.values()], credentials }
}

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase
  const { row, rows } = queriesOf(database, "MerchantStore")
  const write = commitsOf(outbox, "MerchantStore")

  return MerchantStore.of({
    create: (change) => {
      const { credentials, environments } = change
      const own = () => [
        ...merchant.sent(change.merchant),
        ...place.parameters(environments.map(place.encode)),
        ...credential.parameters(credentials.map(credential.encode))
      ]
      return Effect.asVoid(write("create", change.merchant.id, create, own, change))
    },
    access: yield* lookup(database, "MerchantStore.access", access, (row) => ({
      merchant: merchant.decode(row, 1),
      environment: place.decode(row, 1 + behindMerchant),
      credential: credential.decode(row, 1 + behindEnvironment)
    })),
    environment: (id) =>
      row(
        "environment",
        environment,
        () => [text(id)],
        (row) => ({
          merchant: merchant.decode(row),
          environment: place.decode(row, behindMerchant)
        })
      ),
    get: (id) =>
      Effect.map(
        rows(
          "get",
          get,
          () => [text(id)],
          (row) => row
        ),
        recordOf
      ),
    list: ({ after, limit }) => rows("list", list, () => [text(after ?? ""), int(limit)], merchant.decode),
    change: (given) => {
      const { from, to } = given
      const own = () => [text(from.id), text(from.name), text(from.status), text(to.name), text(to.status)]
      return Effect.asVoid(write("change", from.id, change, own, given))
    },
    saveSettings: (given) => {
      const { environment, settings, version } = given
      const own = () => [text(environment), int(version), text(JSON.stringify(settings))]
      return Effect.asVoid(write("saveSettings", environment, saveSettings, own, given))
    }
  })
})
