import { Verification } from "@countersign/core"
import { Conflict, Subject, VerificationStore } from "@countersign/core/storage"
import { Effect } from "effect"
import * as Batcher from "./Batcher.ts"
import * as Commit from "./commitStatement.ts"
import * as Search from "./verificationSearch.ts"
import { lookup } from "./lookup.ts"
import { ifStorable, instant, int, text, unstorable } from "./parameters.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { queriesOf } from "./storeQueries.ts"

/** Sorts after every string that starts with the mark. */
const afterMark = String.fromCharCode(Subject.keptMark.charCodeAt(0) + 1)

/*
 * `offset 0` forces a lookup by key for every requested row, whatever the table statistics say: plans are cached, often
 * while the tables are still empty.
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
from unnest($1::text[], $2::text[]) with ordinality as i(environment, canonical, n)
left ${subjectOf("i.environment", "i.canonical").trim().replace("cross join", "join")} on true
left join lateral (
  select 1 as n from subject
  where s.version is null and environment = i.environment
    and canonical >= '${Subject.keptMark}' and canonical < '${afterMark}' limit 1
) kept on true
where s.version is not null or kept.n is not null`

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
 * The index is sorted by time and includes ended verifications, which their row marks as closed. There may be any
 * number of those, so one statement scans at most `$4` rows. At that limit it also returns the last row, from which the
 * next statement continues.
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

export const between = `
select id, state from verification
where environment = $1 and id > $2 and id < $3
order by environment, id limit $4`

export const ofPerson = `
select id, state from verification
where (canonical, environment, id) > ($2, $1, $3) and (canonical, environment) <= ($2, $1) and id > $3
order by canonical, environment, id limit $4`

/** The range of `canonical` is that of the index. An address may begin with a digit too. */
export const endingWith = `
select v.id, v.state
from (
  select canonical from subject
  where right(canonical, 4) = $2 and environment = $1 and canonical > '0' and canonical < ':'
    and position('@' in canonical) = 0 limit 1000
) s
cross join lateral (
  select id, state from verification
  where (canonical, environment, id) >= (s.canonical, $1, $3) and (canonical, environment) <= (s.canonical, $1) and id >= $3
  order by canonical desc, environment desc, id desc limit 1
) v
order by v.id desc limit $4`

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase
  const { failed, rows } = queriesOf(database, "VerificationStore")
  const subjects = yield* lookup(
    database,
    "VerificationStore.subject",
    loadSubjects,
    ([, version, state], [environment, canonical]): Subject.Subject =>
      version === null
        ? { ...Subject.empty(environment!, canonical!), mayBeErased: true }
        : Subject.decode(environment!, canonical!, version as number, state as string),
    ([environment, canonical]) => Subject.empty(environment!, canonical!)
  )
  const load = yield* lookup(
    database,
    "VerificationStore.load",
    loadVerifications,
    ([, verification, canonical, version, subject], [environment, id]) => ({
      verification: Verification.decode(environment!, id!, verification as string),
      subject: Subject.decode(environment!, canonical as string, version as number, subject as string)
    })
  )
  const find = yield* lookup(database, "VerificationStore.find", findVerifications, ([, state], [environment, id]) =>
    Verification.decode(environment!, id!, state as string)
  )
  const named = ([, name]: Row) => name as string
  const findIdByOrder = yield* lookup(database, "VerificationStore.findIdByOrder", findOrders, named)
  const findByDevice = yield* lookup(database, "VerificationStore.findByDevice", findDevices, named)

  const commits = yield* Batcher.make<Commit.EncodedChange, number | null>({
    operation: "VerificationStore.commit",
    keyOf: ({ key }) => key,
    sameKey: "wait",
    ownerOf: ({ change }) => change.subject.environment,
    run: (batch) => {
      const { parameters, statement } = Commit.sent(batch)
      const outgoing = batch.map((each) => each.outgoing)
      return Effect.map(outbox.run(statement, parameters, outgoing), (rows) => {
        const versions = new Array<number | null>(batch.length).fill(null)
        for (const [n, version] of rows) versions[(n as number) - 1] = version as number
        return versions
      })
    },
    // The waiting change was decided on this version or an older one, and the version has moved, whoever moved it.
    foretell: (done, version, waiting) => {
      const behind = done.change.subject.version - waiting.change.subject.version
      return behind === 0 || (version !== null && behind > 0) ? null : undefined
    }
  })

  const expired = Effect.fnUntraced(
    function* ({ after, limit, until }: VerificationStore.ExpiredPage) {
      const found: Array<VerificationStore.Expired> = []
      for (
        let from: Omit<VerificationStore.Expired, "environment"> | null = after;
        from !== null && found.length < limit;
      ) {
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
    (effect) => failed("expired")(effect)
  )

  return VerificationStore.of({
    subject: subjects,
    load,
    find,
    findIdByOrder,
    expired,
    findByDevice,
    search: (page) => Search.search(database, page),
    between: (environment, { after, before, limit }) =>
      rows(
        "between",
        between,
        () => [text(environment), text(after), text(before), int(limit)],
        ([id, state]) => Verification.decode(environment, id as string, state as string)
      ),
    ofPerson: (environment, canonical, { after, limit }) =>
      rows(
        "ofPerson",
        ofPerson,
        () => [text(environment), text(canonical), text(after ?? ""), int(limit)],
        ([id, state]) => Verification.decode(environment, id as string, state as string)
      ),
    endingWith: (environment, digits, { limit, since }) =>
      rows(
        "endingWith",
        endingWith,
        () => [text(environment), text(digits), text(since), int(limit)],
        ([id, state]) => Verification.decode(environment, id as string, state as string)
      ),
    commit: (change) =>
      Effect.suspend(() => {
        const encoded = ifStorable(() => Commit.encode(change))
        if (encoded === null) return Effect.fail(unstorable("VerificationStore.commit"))
        return Effect.flatMap(commits.submit(encoded), (version) => {
          if (version === null) return Effect.fail(new Conflict({ key: change.subject.canonical }))
          outbox.committed(change)
          return Effect.succeed({ subject: { ...change.subject, version }, verification: change.verification })
        })
      })
  })
})
