import { Conflict, type Passkey, PasskeyStore, StoreError } from "@countersign/core/storage"
import { Effect } from "effect"
import { encode } from "./outboxParts.ts"
import { outboxStatement } from "./outboxStatement.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { bool, instant, int, storable, text } from "./parameters.ts"

const columns = "id, canonical, version, created_at, state"

export const get = `select ${columns} from passkey where id = $1`
export const list = `select ${columns} from passkey where canonical = $1 and not removed order by created_at, id`

export const commit = outboxStatement({
  own: `known as (
  update passkey set version = $3 + 1, removed = $5, state = $6 where id = $1 and version = $3 and $3 > 0
  returning version
), fresh as (
  insert into passkey (id, canonical, version, created_at, removed, state) select $1, $2, 1, $4, $5, $6 where $3 = 0
  on conflict (id) do nothing
  returning version
), ok as materialized (
  select 1 as n, version from known union all select 1, version from fresh
)`,
  parameters: 6,
  answer: "version"
})

type State = Omit<Passkey, "id" | "canonical" | "version" | "createdAt">

/** How a passkey of an earlier version says what it opens: one agent, or whatever its address does. */
interface Earlier {
  readonly merchantId: string | null
  readonly agent: { readonly id: number; readonly era: number } | null
}

const stateOf = ({ agent = null, merchantId = null, ...state }: State & Partial<Earlier>): State => ({
  ...state,
  opens:
    (state.opens as State["opens"] | undefined) ??
    (merchantId === null || agent === null ? null : [{ merchantId, agentId: agent.id, era: agent.era, proven: false }])
})

const encodeState = ({
  id: _id,
  canonical: _canonical,
  version: _version,
  createdAt: _createdAt,
  ...state
}: Passkey): string => JSON.stringify(state satisfies State)

const passkeyOf = ([id, canonical, version, createdAt, state]: Row): Passkey => ({
  id: id as string,
  canonical: canonical as string,
  version: version as number,
  createdAt: (createdAt as Date).getTime(),
  ...stateOf(JSON.parse(state as string) as State & Partial<Earlier>)
})

const failed = (operation: string) =>
  Effect.mapError((failure: PgFailure) => failure.toStoreError(`PasskeyStore.${operation}`))

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase

  return PasskeyStore.of({
    get: (id) =>
      storable(id)
        ? Effect.map(database.query(get, [text(id)]), ([row]) => (row === undefined ? null : passkeyOf(row))).pipe(
            failed("get")
          )
        : Effect.succeed(null),
    list: (canonical) =>
      storable(canonical)
        ? Effect.map(database.query(list, [text(canonical)]), (rows) => rows.map(passkeyOf)).pipe(failed("list"))
        : Effect.succeed([]),
    commit: (change) =>
      Effect.suspend(() => {
        const { canonical, createdAt, id, removedAt, version } = change.passkey
        if (!storable(id) || !storable(canonical)) {
          return Effect.fail(
            new StoreError({
              operation: "PasskeyStore.commit",
              cause: new Error("a key is not text that Postgres can keep")
            })
          )
        }
        const own = [
          text(id),
          text(canonical),
          int(version),
          instant(createdAt),
          bool(removedAt !== null),
          text(encodeState(change.passkey))
        ]
        return outbox.run(commit, own, [encode(change)]).pipe(
          failed("commit"),
          Effect.flatMap(([row]) => {
            if (row === undefined) return Effect.fail(new Conflict({ key: id }))
            outbox.committed(change)
            return Effect.succeed({ ...change.passkey, version: row[0] as number })
          })
        )
      })
  })
})
