import { IdempotencyStore, type StoreError } from "@countersign/core/storage"
import { Effect } from "effect"
import * as Batcher from "./Batcher.ts"
import { float, ifStorable, instant, text, unstorable } from "./parameters.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import { queriesOf } from "./storeQueries.ts"
import * as Table from "./table.ts"

type Begin = Parameters<IdempotencyStore["Service"]["begin"]>[0]

interface Finish {
  readonly scope: IdempotencyStore.Scope
  readonly holder: string
  readonly answer: IdempotencyStore.KeptAnswer
}

/** A caller's item with its encoded values. Encoding runs in the caller's own fiber. */
interface Sent<Item> {
  readonly item: Item
  readonly values: Table.Values
}

const scope = Table.group<IdempotencyStore.Scope>({ environment: Table.text, endpoint: Table.text, key: Table.text })

const requested = Table.rows<Omit<Begin, "keptSince">>()("idempotency", [], {
  scope,
  fingerprint: Table.text,
  holder: Table.text,
  leasedUntil: Table.time,
  now: Table.named("created_at", Table.time)
})

const answered = Table.rows<Finish>()("idempotency", [], {
  scope,
  holder: Table.text,
  answer: Table.group<IdempotencyStore.KeptAnswer>({ status: Table.int, body: Table.text })
})

/**
 * Takes keys, or reads their records. A row that another statement is inserting blocks the insert and is not visible to
 * the select. The request then has no result, and the caller repeats it. The retention is a time span because the
 * condition sees only the row of the request.
 */
export const begin = `
with request as materialized (
  select * from unnest(${requested.given(1)})
    with ordinality as r(${requested.names.join(", ")}, n)
), taken as materialized (
  insert into idempotency as i (${requested.names.join(", ")})
  select ${requested.names.join(", ")} from request order by n
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
  from ${Table.plain(answered, 1, "a")}
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

const old = `
delete from idempotency where ctid = any(array(
  select ctid from idempotency where created_at < $1 order by created_at limit $2 for update skip locked
)) returning 1`

const keyOf = ({ item: { scope } }: { readonly item: { readonly scope: IdempotencyStore.Scope } }) =>
  `${scope.environment}\u0000${scope.endpoint}\u0000${scope.key}`

const scopeOf = ({ endpoint, environment, key }: IdempotencyStore.Scope) => [
  text(environment),
  text(endpoint),
  text(key)
]

/** Undefined: another statement's inserted row is not visible yet. */
type Begun = IdempotencyStore.Record | IdempotencyStore.Taken | undefined

const readRecord = ([, fingerprint, status, body, firstAt, isRepeat]: Row):
  | IdempotencyStore.Record
  | IdempotencyStore.Taken =>
  fingerprint === null
    ? { _tag: "Taken", firstAt: firstAt as number, isRepeat: isRepeat as boolean }
    : {
        _tag: "Held",
        fingerprint: fingerprint as string,
        answer: status === null ? null : { status: status as number, body: body as string }
      }

const keptFor = ({ keptSince, now }: Begin) => now - keptSince

/** A waiting caller behind the one that took the key would find it held. */
const behind = ({ item: taken }: Sent<Begin>, begun: { readonly record: Begun }, { item: waiting }: Sent<Begin>) =>
  begun.record?._tag === "Taken" && waiting.now < taken.leasedUntil && waiting.keptSince <= begun.record.firstAt
    ? { record: { _tag: "Held" as const, fingerprint: taken.fingerprint, answer: null } }
    : undefined

export const make = Effect.gen(function* () {
  const database = yield* PgDatabase
  const { purge, rows, write } = queriesOf(database, "IdempotencyStore")

  const runBegin = Effect.fnUntraced(function* (requests: ReadonlyArray<Sent<Begin>>) {
    const begun = new Array<{ readonly record: Begun }>(requests.length).fill({ record: undefined })
    for (const span of new Set(requests.map(({ item }) => keptFor(item)))) {
      const places = requests.flatMap(({ item }, place) => (keptFor(item) === span ? [place] : []))
      const parameters = requested.parameters(places.map((place) => requests[place]!.values))
      for (const row of yield* database.query(begin, [...parameters, float(span)]))
        begun[places[(row[0] as number) - 1]!] = { record: readRecord(row) }
    }
    return begun
  })

  const begins = yield* Batcher.make<Sent<Begin>, { readonly record: Begun }>({
    operation: "IdempotencyStore.begin",
    keyOf,
    sameKey: "wait",
    ownerOf: ({ item: { scope } }) => scope.environment,
    run: runBegin,
    foretell: behind
  })

  const finishes = yield* Batcher.make<Sent<Finish>, true>({
    operation: "IdempotencyStore.finish",
    keyOf,
    sameKey: "wait",
    ownerOf: ({ item: { scope } }) => scope.environment,
    run: (items) =>
      Effect.as(
        database.query(finish, answered.parameters(items.map(({ values }) => values))),
        items.map(() => true as const)
      )
  })

  const beginOnce = (
    request: Sent<Begin>
  ): Effect.Effect<IdempotencyStore.Record | IdempotencyStore.Taken, StoreError> =>
    Effect.flatMap(begins.submit(request), ({ record }) =>
      record === undefined ? beginOnce(request) : Effect.succeed(record)
    )

  const sent = <Item, A>(
    operation: string,
    encode: (item: Item) => Table.Values,
    item: Item,
    send: (sent: Sent<Item>) => Effect.Effect<A, StoreError>
  ) =>
    Effect.suspend(() => {
      const values = ifStorable(() => encode(item))
      return values === null ? Effect.fail(unstorable(`IdempotencyStore.${operation}`)) : send({ item, values })
    })

  return IdempotencyStore.of({
    begin: (request) => sent("begin", requested.encode, request, beginOnce),
    finish: (scope, holder, answer) =>
      Effect.asVoid(sent("finish", answered.encode, { scope, holder, answer }, finishes.submit)),
    holds: (scope, keptSince) =>
      Effect.map(
        rows(
          "holds",
          holds,
          () => [...scopeOf(scope), instant(keptSince)],
          () => 1
        ),
        (held) => held.length > 0
      ),
    unlock: (scope, holder) => Effect.asVoid(write("unlock", unlock, () => [...scopeOf(scope), text(holder)])),
    release: (scope, holder) => Effect.asVoid(write("release", release, () => [...scopeOf(scope), text(holder)])),
    purge: (keptSince) => purge(old, instant(keptSince))
  })
})
