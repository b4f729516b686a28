import { type IdempotencyScope, IdempotencyStore, type KeptAnswer, StoreError } from "@countersign/core"
import { Effect } from "effect"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import { instant, int, storable, text } from "./parameters.ts"

/**
 * Takes the key or reads who has it. A row that another statement inserts meanwhile stops the insert without being
 * visible to the reading half: then neither answers, and asking again does.
 */
const begin = `
with taken as (
  insert into idempotency as i (environment, endpoint, key, fingerprint, holder, leased_until, created_at)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (environment, endpoint, key) do update
    set fingerprint = excluded.fingerprint, holder = excluded.holder, leased_until = excluded.leased_until,
      created_at = excluded.created_at, status = null, body = null
    where i.created_at < $8 or (i.status is null and i.leased_until <= $7 and i.fingerprint = excluded.fingerprint)
  returning 1
)
select true, null, null, null from taken
union all
select false, fingerprint, status, body from idempotency
where environment = $1 and endpoint = $2 and key = $3 and not exists (select 1 from taken)`

const finish = `
update idempotency set status = $5, body = $6
where environment = $1 and endpoint = $2 and key = $3 and holder = $4 and status is null`

const release = `
delete from idempotency where environment = $1 and endpoint = $2 and key = $3 and holder = $4 and status is null`

const purge = `
delete from idempotency where ctid = any(array(
  select ctid from idempotency where created_at < $1 order by created_at limit $2 for update skip locked
)) returning 1`

const purgedAtOnce = 1000

const keyOf = ({ endpoint, environment, key }: IdempotencyScope) => [text(environment), text(endpoint), text(key)]

const refuse = (operation: string) =>
  new StoreError({ operation, cause: new Error("a value is not text that Postgres can keep") })

const readRecord = ([taken, fingerprint, status, body]: Row) =>
  taken === true
    ? null
    : {
        fingerprint: fingerprint as string,
        answer: status === null ? null : { status: status as number, body: body as string }
      }

export const make = Effect.gen(function* () {
  const database = yield* PgDatabase

  const beginOnce: IdempotencyStore["Service"]["begin"] = (request) =>
    database
      .query(begin, [
        ...keyOf(request.scope),
        text(request.fingerprint),
        text(request.holder),
        instant(request.leasedUntil),
        instant(request.now),
        instant(request.keptSince)
      ])
      .pipe(
        Effect.mapError((failure) => failure.toStoreError("IdempotencyStore.begin")),
        Effect.flatMap(([row]) => (row === undefined ? beginOnce(request) : Effect.succeed(readRecord(row))))
      )

  const change = (operation: string, statement: string, scope: IdempotencyScope, holder: string, answer?: KeptAnswer) =>
    database
      .query(statement, [
        ...keyOf(scope),
        text(holder),
        ...(answer === undefined ? [] : [int(answer.status), text(answer.body)])
      ])
      .pipe(
        Effect.mapError((failure) => failure.toStoreError(operation)),
        Effect.asVoid
      )

  return IdempotencyStore.of({
    begin: (request) =>
      [...Object.values(request.scope), request.fingerprint, request.holder].every(storable)
        ? beginOnce(request)
        : Effect.fail(refuse("IdempotencyStore.begin")),
    finish: (scope, holder, answer) =>
      storable(answer.body)
        ? change("IdempotencyStore.finish", finish, scope, holder, answer)
        : Effect.fail(refuse("IdempotencyStore.finish")),
    release: (scope, holder) => change("IdempotencyStore.release", release, scope, holder),
    purge: Effect.fnUntraced(
      function* (keptSince) {
        let purged = 0
        for (;;) {
          const rows = yield* database.query(purge, [instant(keptSince), int(purgedAtOnce)])
          purged += rows.length
          if (rows.length < purgedAtOnce) return purged
        }
      },
      Effect.mapError((failure) => failure.toStoreError("IdempotencyStore.purge"))
    )
  })
})
