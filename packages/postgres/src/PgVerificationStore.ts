import { Verification } from "@countersign/core"
import {
  type VerificationChange,
  Conflict,
  type ExpiredPage,
  type ExpiredVerification,
  StoreError,
  Subject,
  VerificationStore
} from "@countersign/core/storage"
import { Effect } from "effect"
import * as Batcher from "./Batcher.ts"
import * as Commit from "./commitStatement.ts"
import * as Search from "./verificationSearch.ts"
import { lookup } from "./lookup.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import { instant, int, storable, text } from "./parameters.ts"
import type { PgOutbox } from "./PgOutbox.ts"

/*
 * `offset 0` makes each of these a lookup by key for every row that is asked for, whatever Postgres believes about the
 * size of its tables: plans are made once, often while the tables are still empty.
 */
const subjectOf = (environment: string, canonical: string) => `
cross join lateral (
  select version, canonical, state from subject where environment = ${environment} and canonical = ${canonical} offset 0
) s`
const verificationOf = `
cross join lateral (
  select canonical, state from verification where environment = i.environment and id = i.id offset 0
) v`

export const loadSubjects = `
select i.n::int, s.version, s.state
from unnest($1::text[], $2::text[]) with ordinality as i(environment, canonical, n) ${subjectOf("i.environment", "i.canonical")}`

export const loadVerifications = `
select i.n::int, v.state, s.canonical, s.version, s.state
from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
${verificationOf} ${subjectOf("i.environment", "v.canonical")}`

export const findVerifications = `
select i.n::int, v.state
from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n) ${verificationOf}`

export const findOrders = `
select i.n::int, o.verification_id
from unnest($1::text[], $2::text[]) with ordinality as i(environment, order_id, n)
cross join lateral (
  select verification_id from order_reference where environment = i.environment and order_id = i.order_id offset 0
) o`

export const findDevices = `
select i.n::int, d.canonical
from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (select canonical from device where environment = i.environment and id = i.id offset 0) d`

/**
 * The index goes by time, and holds those, too, that have ended: their row says so. There may be any number of
 * them, so one statement walks past no more than `$4` and then says, with the row it came to, that there is more.
 */
export const expiredFrom = `
select environment, id, expires_at, open, n = $4 from (
  select environment, id, expires_at, open, row_number() over (order by expires_at, id)::int as n from verification
  where (expires_at, id) > ($1, $2) and expires_at <= $3
  order by expires_at, id limit $4
) walked
where open or n = $4
limit $5`

const walkedAtOnce = 8_192

export const ofPerson = `
select id, state from verification
where (canonical, environment, id) > ($2, $1, $3) and (canonical, environment) <= ($2, $1) and id > $3
order by canonical, environment, id limit $4`

const conflict = (change: VerificationChange) => new Conflict({ key: change.subject.canonical })

const refuse = () =>
  new StoreError({
    operation: "VerificationStore.commit",
    cause: new Error("a key is not text that Postgres can keep")
  })

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase
  const subjects = yield* lookup(database, "VerificationStore.subject", loadSubjects)
  const loads = yield* lookup(database, "VerificationStore.load", loadVerifications)
  const finds = yield* lookup(database, "VerificationStore.find", findVerifications)
  const orders = yield* lookup(database, "VerificationStore.findIdByOrder", findOrders)

  const owners = yield* lookup(database, "VerificationStore.findByDevice", findDevices)

  const commits = yield* Batcher.make<Commit.EncodedChange, number | null>({
    operation: "VerificationStore.commit",
    keyOf: ({ key }) => key,
    sameKey: "wait",
    ownerOf: ({ change }) => change.subject.environment,
    run: (batch) =>
      Effect.map(
        outbox.run(
          Commit.commit,
          Commit.parameters(batch),
          batch.map(({ outgoing }) => outgoing)
        ),
        (rows) => {
          const versions = new Array<number | null>(batch.length).fill(null)
          for (const [n, version] of rows) versions[(n as number) - 1] = version as number
          return versions
        }
      ),
    // The version is now beyond what the other was decided on, whoever moved it.
    foretell: (done, version, waiting) => {
      const behind = done.change.subject.version - waiting.change.subject.version
      return behind === 0 || (version !== null && behind > 0) ? null : undefined
    }
  })

  const expired = Effect.fnUntraced(
    function* ({ after, limit, until }: ExpiredPage) {
      const found: Array<ExpiredVerification> = []
      for (let from: Omit<ExpiredVerification, "environment"> | null = after; from !== null && found.length < limit; ) {
        const rows: ReadonlyArray<Row> = yield* database.query(expiredFrom, [
          instant(from.expiresAt),
          text(from.id),
          instant(until),
          int(walkedAtOnce),
          int(limit - found.length)
        ])
        from = null
        for (const [environment, id, at, open, more] of rows) {
          const one = { environment: environment as string, id: id as string, expiresAt: (at as Date).getTime() }
          if (open === true) found.push(one)
          if (more === true) from = one
        }
      }
      return found
    },
    Effect.mapError((failure) => failure.toStoreError("VerificationStore.expired"))
  )

  return VerificationStore.of({
    subject: (environment, canonical) =>
      Effect.map(subjects(environment, canonical), (row) =>
        row === null
          ? Subject.empty(environment, canonical)
          : Subject.decode(environment, canonical, row[1] as number, row[2] as string)
      ),
    load: (environment, id) =>
      Effect.map(loads(environment, id), (row) =>
        row === null
          ? null
          : {
              verification: Verification.decode(environment, id, row[1] as string),
              subject: Subject.decode(environment, row[2] as string, row[3] as number, row[4] as string)
            }
      ),
    find: (environment, id) =>
      Effect.map(finds(environment, id), (row) =>
        row === null ? null : Verification.decode(environment, id, row[1] as string)
      ),
    findIdByOrder: (environment, orderId) =>
      Effect.map(orders(environment, orderId), (row) => (row === null ? null : (row[1] as string))),
    expired,
    findByDevice: (environment, id) =>
      Effect.map(owners(environment, id), (row) => (row === null ? null : (row[1] as string))),
    search: (page) => Search.search(database, page),
    ofPerson: Effect.fnUntraced(
      function* (environment, canonical, { after, limit }) {
        const keys = [environment, canonical, after ?? ""]
        if (!keys.every(storable)) return []
        const rows = yield* database.query(ofPerson, [...keys.map(text), int(limit)])
        return rows.map(([id, state]) => Verification.decode(environment, id as string, state as string))
      },
      Effect.mapError((failure) => failure.toStoreError("VerificationStore.ofPerson"))
    ),
    commit: (change) =>
      Effect.suspend(() => {
        const { canonical, environment } = change.subject
        if (![environment, canonical, change.orderId ?? change.verification?.orderId ?? ""].every(storable))
          return Effect.fail(refuse())
        return Effect.flatMap(commits.submit(Commit.encode(change)), (version) => {
          if (version === null) return Effect.fail(conflict(change))
          outbox.committed(change)
          return Effect.succeed({ subject: { ...change.subject, version }, verification: change.verification })
        })
      })
  })
})
