import type { Merchant } from "@countersign/core"
import { Conflict, KeyStore, StoreError } from "@countersign/core/storage"
import { Effect } from "effect"
import {
  credentialColumns,
  credentialOf,
  credentialParameters,
  credentialRows,
  insertCredentials
} from "./credentialRows.ts"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import { instants, int, storable, text, texts } from "./parameters.ts"
import { encode } from "./outboxParts.ts"
import { outboxStatement } from "./outboxStatement.ts"
import type { PgOutbox } from "./PgOutbox.ts"

export const load = `
select e.keys_version, ${credentialColumns}
from environment e left join credential c on c.environment = e.id
where e.id = $1 order by c.id`

/**
 * All or nothing: where the version has moved, no row is touched, and a key whose id exists fails the statement. Parameters 3 to 12 are the keys that are new, 13 to 22 those that change.
 */
export const commit = outboxStatement({
  own: `moved as (
  update environment set keys_version = keys_version + 1 where id = $1 and keys_version = $2 returning id
), inserted as (${insertCredentials(3)}
  where exists (select from moved)
), changed as (
  update credential c set scopes = n.scopes, name = n.name, secret_hash = n.secret_hash, replaced = n.replaced, revoked_at = n.revoked_at
  from ${credentialRows(13)} as n (id, environment, kind, secret_hash, created_at, scopes, name, replaced, last_used_at, revoked_at)
  where c.id = n.id and c.environment = $1 and exists (select from moved)
), ok as materialized (
  select 1 as n from moved
)`,
  parameters: 22,
  answer: "n"
})

/** Rows are locked by id, so that two processes that write down the same keys do not deadlock. */
export const used = `
with ordered as (
  select c.id, u.hour from credential c
  join (select id, max(hour) as hour from unnest($1::text[], $2::timestamptz[]) as u (id, hour) group by id) u
    on u.id = c.id and (c.last_used_at is null or c.last_used_at < u.hour)
  order by c.id for update of c
)
update credential c set last_used_at = o.hour from ordered o where c.id = o.id`

const failed = (operation: string) =>
  Effect.mapError((failure: PgFailure) => failure.toStoreError(`KeyStore.${operation}`))

const writable = ({ id, name }: Merchant.Credential) => storable(id) && storable(name ?? "")

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase

  return KeyStore.of({
    load: (environment) =>
      storable(environment)
        ? Effect.map(database.query(load, [text(environment)]), (rows) =>
            rows[0] === undefined
              ? null
              : {
                  environment,
                  version: rows[0][0] as number,
                  keys: rows.filter((row) => row[1] !== null).map((row) => credentialOf(row, 1))
                }
          ).pipe(failed("load"))
        : Effect.succeed(null),

    commit: (change) =>
      Effect.suspend(() => {
        const { added, changed, environment, version } = change
        if (![...added, ...changed].every(writable) || !storable(environment)) {
          return Effect.fail(
            new StoreError({ operation: "KeyStore.commit", cause: new Error("not text that Postgres can keep") })
          )
        }
        const own = [text(environment), int(version), ...credentialParameters(added), ...credentialParameters(changed)]
        return outbox.run(commit, own, [encode(change)]).pipe(
          Effect.mapError((failure) =>
            // A key that exists is somebody else's commit, not a failure.
            failure.sqlState === "23505" ? new Conflict({ key: environment }) : failure.toStoreError("KeyStore.commit")
          ),
          Effect.flatMap(([row]) => {
            if (row === undefined) return Effect.fail(new Conflict({ key: environment }))
            outbox.committed(change)
            return Effect.void
          })
        )
      }),

    used: (uses) => {
      const known = uses.filter(({ id }) => storable(id))
      return database
        .query(used, [texts(known.map(({ id }) => id)), instants(known.map(({ hour }) => hour))])
        .pipe(failed("used"), Effect.asVoid)
    }
  })
})
