import {
  type IdempotencyRecord,
  type IdempotencyScope,
  IdempotencyStore,
  type KeptAnswer,
  StoreError,
  type Taken
} from "@countersign/core/storage"
import { Effect } from "effect"
import * as Batcher from "./Batcher.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import { float, instant, instants, int, ints, storable, text, texts } from "./parameters.ts"

type Begin = Parameters<IdempotencyStore["Service"]["begin"]>[0]

interface Finish {
  readonly scope: IdempotencyScope
  readonly holder: string
  readonly answer: KeptAnswer
}

/**
 * Takes keys or reads who has them. A row that another statement inserts meanwhile stops the insert without being
 * visible to the reading half: then neither answers for it, and asking again does. How long a key is kept is a span,
 * because the condition sees no more of a request than the row it would have made.
 */
export const begin = `
with request as materialized (
  select * from unnest(
    $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[]
  ) with ordinality as r(environment, endpoint, key, fingerprint, holder, leased_until, created_at, n)
), taken as materialized (
  insert into idempotency as i (environment, endpoint, key, fingerprint, holder, leased_until, created_at)
  select environment, endpoint, key, fingerprint, holder, leased_until, created_at from request order by n
  on conflict (environment, endpoint, key) do update
    set fingerprint = excluded.fingerprint, holder = excluded.holder, leased_until = excluded.leased_until, owner = excluded.owner,
      created_at = case when i.created_at < excluded.created_at - $8 * interval '1 millisecond'
        then excluded.created_at else i.created_at end,
      status = null, body = null
    where i.created_at < excluded.created_at - $8 * interval '1 millisecond'
      or (i.status is null and i.leased_until <= excluded.created_at and i.fingerprint = excluded.fingerprint)
  returning environment, endpoint, key, (extract(epoch from created_at) * 1000)::float8 as first_at, xmax <> 0 as repeats
)
select r.n::int, null, null, null, t.first_at, t.repeats from request r join taken t using (environment, endpoint, key)
union all
select r.n::int, x.fingerprint, x.status, x.body, null, null from request r
cross join lateral (
  select fingerprint, status, body from idempotency
  where environment = r.environment and endpoint = r.endpoint and key = r.key offset 0
) x
where ((r.environment, r.endpoint, r.key) in (select environment, endpoint, key from taken)) is not true`

export const finish = `
update idempotency i set status = f.status, body = f.body
from (
  select a.status, a.body, t.place, t.held_by
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[])
    as a(environment, endpoint, key, holder, status, body)
  cross join lateral (
    select ctid as place, holder as held_by from idempotency
    where environment = a.environment and endpoint = a.endpoint and key = a.key and holder = a.holder offset 0
  ) t
) f
where i.ctid = f.place and i.holder = f.held_by and i.status is null`

const holds = `
select 1 from idempotency where environment = $1 and endpoint = $2 and key = $3 and created_at >= $4`

const unlock = `
update idempotency set leased_until = 'epoch', owner = null
where environment = $1 and endpoint = $2 and key = $3 and holder = $4 and status is null`

const release = `
delete from idempotency where environment = $1 and endpoint = $2 and key = $3 and holder = $4 and status is null`

const purge = `
delete from idempotency where ctid = any(array(
  select ctid from idempotency where created_at < $1 order by created_at limit $2 for update skip locked
)) returning 1`

const purgedAtOnce = 1000

const scopes = (items: ReadonlyArray<{ readonly scope: IdempotencyScope }>) => [
  texts(items.map(({ scope }) => scope.environment)),
  texts(items.map(({ scope }) => scope.endpoint)),
  texts(items.map(({ scope }) => scope.key))
]

const keyOf = ({ scope }: { readonly scope: IdempotencyScope }) =>
  `${scope.environment}\u0000${scope.endpoint}\u0000${scope.key}`

const refuse = (operation: string) =>
  Effect.fail(new StoreError({ operation, cause: new Error("a value is not text that Postgres can keep") }))

/** Undefined: the row that another statement inserts is not visible yet. */
type Begun = IdempotencyRecord | Taken | undefined

const readRecord = ([, fingerprint, status, body, firstAt, isRepeat]: Row): IdempotencyRecord | Taken =>
  fingerprint === null
    ? { _tag: "Taken", firstAt: firstAt as number, isRepeat: isRepeat as boolean }
    : {
        _tag: "Held",
        fingerprint: fingerprint as string,
        answer: status === null ? null : { status: status as number, body: body as string }
      }

const keptFor = ({ keptSince, now }: Begin) => now - keptSince

/** Whoever waits behind the one that took the key would find it taken. */
const behind = (taken: Begin, begun: { readonly record: Begun }, waiting: Begin) =>
  begun.record?._tag === "Taken" && waiting.now < taken.leasedUntil && waiting.keptSince <= begun.record.firstAt
    ? { record: { _tag: "Held" as const, fingerprint: taken.fingerprint, answer: null } }
    : undefined

export const make = Effect.gen(function* () {
  const database = yield* PgDatabase

  const runBegin = Effect.fnUntraced(function* (requests: ReadonlyArray<Begin>) {
    const begun = new Array<{ readonly record: Begun }>(requests.length).fill({ record: undefined })
    for (const span of new Set(requests.map(keptFor))) {
      const places = requests.flatMap((request, place) => (keptFor(request) === span ? [place] : []))
      const some = places.map((place) => requests[place]!)
      const rows = yield* database.query(begin, [
        ...scopes(some),
        texts(some.map(({ fingerprint }) => fingerprint)),
        texts(some.map(({ holder }) => holder)),
        instants(some.map(({ leasedUntil }) => leasedUntil)),
        instants(some.map(({ now }) => now)),
        float(span)
      ])
      for (const row of rows) begun[places[(row[0] as number) - 1]!] = { record: readRecord(row) }
    }
    return begun
  })

  const begins = yield* Batcher.make<Begin, { readonly record: Begun }>({
    operation: "IdempotencyStore.begin",
    keyOf,
    sameKey: "wait",
    ownerOf: ({ scope }) => scope.environment,
    run: runBegin,
    foretell: behind
  })

  const finishes = yield* Batcher.make<Finish, true>({
    operation: "IdempotencyStore.finish",
    keyOf,
    sameKey: "wait",
    ownerOf: ({ scope }) => scope.environment,
    run: (items) =>
      Effect.as(
        database.query(finish, [
          ...scopes(items),
          texts(items.map(({ holder }) => holder)),
          ints(items.map(({ answer }) => answer.status)),
          texts(items.map(({ answer }) => answer.body))
        ]),
        items.map(() => true as const)
      )
  })

  const beginOnce = (request: Begin): Effect.Effect<IdempotencyRecord | Taken, StoreError> =>
    Effect.flatMap(begins.submit(request), ({ record }) =>
      record === undefined ? beginOnce(request) : Effect.succeed(record)
    )

  return IdempotencyStore.of({
    begin: (request) =>
      [...Object.values(request.scope), request.fingerprint, request.holder].every(storable)
        ? beginOnce(request)
        : refuse("IdempotencyStore.begin"),
    finish: (scope, holder, answer) =>
      [...Object.values(scope), holder, answer.body].every(storable)
        ? Effect.asVoid(finishes.submit({ scope, holder, answer }))
        : refuse("IdempotencyStore.finish"),
    holds: ({ endpoint, environment, key }, keptSince) =>
      [endpoint, environment, key].every(storable)
        ? database.query(holds, [text(environment), text(endpoint), text(key), instant(keptSince)]).pipe(
            Effect.mapError((failure) => failure.toStoreError("IdempotencyStore.holds")),
            Effect.map((rows) => rows.length > 0)
          )
        : Effect.succeed(false),
    unlock: ({ endpoint, environment, key }, holder) =>
      database.query(unlock, [text(environment), text(endpoint), text(key), text(holder)]).pipe(
        Effect.mapError((failure) => failure.toStoreError("IdempotencyStore.unlock")),
        Effect.asVoid
      ),
    release: ({ endpoint, environment, key }, holder) =>
      database.query(release, [text(environment), text(endpoint), text(key), text(holder)]).pipe(
        Effect.mapError((failure) => failure.toStoreError("IdempotencyStore.release")),
        Effect.asVoid
      ),
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
