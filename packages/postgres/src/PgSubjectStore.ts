import { Conflict, type KnownSubject, StoreError, SubjectStore } from "@countersign/core/storage"
import { Effect } from "effect"
import { encode } from "./outboxParts.ts"
import { outboxStatement } from "./outboxStatement.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { instant, int, storable, text } from "./parameters.ts"

const columns = ["issuer", "subject", "version", "canonical", "known_since", "state"]
const of = (table: string) => columns.map((column) => `${table}.${column}`).join(", ")

export const get = `select ${of("known_subject")} from known_subject where issuer = $1 and subject = $2`
export const list = `
select ${of("known_subject")} from known_subject where canonical = $1
union
select ${of("k")} from known_subject_address a cross join lateral (
  select * from known_subject where issuer = a.issuer and subject = a.subject offset 0
) k where a.canonical = $1`

export const commit = outboxStatement({
  own: `known as (
  update known_subject set version = $3 + 1, canonical = $4, state = $6
  where issuer = $1 and subject = $2 and version = $3 and $3 > 0
  returning version
), fresh as (
  insert into known_subject (issuer, subject, version, canonical, known_since, state)
  select $1, $2, 1, $4, $5, $6 where $3 = 0
  on conflict (issuer, subject) do nothing
  returning version
), ok as materialized (
  select 1 as n, version from known union all select 1, version from fresh
), address as (
  select jsonb_array_elements_text($6::jsonb -> 'addresses') as canonical from ok
), named as (
  insert into known_subject_address (canonical, issuer, subject) select canonical, $1, $2 from address
  on conflict do nothing
), unnamed as (
  delete from known_subject_address
  where issuer = $1 and subject = $2 and exists (select 1 from ok) and canonical not in (select canonical from address)
)`,
  parameters: 6,
  answer: "version"
})

type State = Pick<KnownSubject, "addresses" | "opens">

const encodeState = ({ addresses, opens }: KnownSubject): string => JSON.stringify({ addresses, opens } satisfies State)

/** A row of an earlier version opens by its address, until a sign-in writes down what it opens. */
const stateOf = (state: string | null, canonical: string): State =>
  state === null ? { addresses: [canonical], opens: null } : (JSON.parse(state) as State)

const subjectOf = ([issuer, subject, version, canonical, knownSince, state]: Row): KnownSubject => ({
  issuer: issuer as string,
  subject: subject as string,
  version: version as number,
  canonical: canonical as string,
  knownSince: (knownSince as Date).getTime(),
  ...stateOf(state as string | null, canonical as string)
})

const failed = (operation: string) =>
  Effect.mapError((failure: PgFailure) => failure.toStoreError(`SubjectStore.${operation}`))

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase

  return SubjectStore.of({
    get: (issuer, subject) =>
      storable(issuer) && storable(subject)
        ? Effect.map(database.query(get, [text(issuer), text(subject)]), ([row]) =>
            row === undefined ? null : subjectOf(row)
          ).pipe(failed("get"))
        : Effect.succeed(null),
    list: (canonical) =>
      storable(canonical)
        ? Effect.map(database.query(list, [text(canonical)]), (rows) => rows.map(subjectOf)).pipe(failed("list"))
        : Effect.succeed([]),
    commit: (change) =>
      Effect.suspend(() => {
        const { addresses, canonical, issuer, knownSince, subject, version } = change.subject
        if (![canonical, issuer, subject, ...addresses].every(storable)) {
          return Effect.fail(
            new StoreError({
              operation: "SubjectStore.commit",
              cause: new Error("a key is not text that Postgres can keep")
            })
          )
        }
        const own = [
          text(issuer),
          text(subject),
          int(version),
          text(canonical),
          instant(knownSince),
          text(encodeState(change.subject))
        ]
        return outbox.run(commit, own, [encode(change)]).pipe(
          failed("commit"),
          Effect.flatMap(([row]) => {
            if (row === undefined) return Effect.fail(new Conflict({ key: subject }))
            outbox.committed(change)
            return Effect.succeed({ ...change.subject, version: row[0] as number })
          })
        )
      })
  })
})
