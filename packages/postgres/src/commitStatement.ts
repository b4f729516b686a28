import { Verification } from "@countersign/core"
import { keptOutcome, Subject, type VerificationChange } from "@countersign/core/storage"
import { composedOnce } from "./composedOnce.ts"
import { type EncodedOutgoing, encode as encodeOutgoing } from "./outboxParts.ts"
import { type OutboxStatement, outboxStatement } from "./outboxStatement.ts"
import { bool, int, nullable, of, rows, text, time, type Values, word } from "./table.ts"

/**
 * A change as encoded values. Encoding runs in the caller's own fiber, so that a value that cannot be stored harms no
 * other change.
 */
export interface EncodedChange {
  readonly change: VerificationChange
  readonly key: string
  readonly values: Values
  readonly outgoing: EncodedOutgoing
}

type Given = VerificationChange

/** Everything that a change writes, as one row. */
const given = rows<object>()("change", [], {
  environment: of(text, ({ subject }: Given) => subject.environment),
  canonical: of(text, ({ subject }: Given) => subject.canonical),
  version: of(int, ({ subject }: Given) => subject.version),
  subject: of(word, ({ subject }: Given) => Subject.encode(subject)),
  id: of(nullable(word), ({ verification }: Given) => verification?.id ?? null),
  verification: of(nullable(word), ({ verification }: Given) =>
    verification === null ? null : Verification.encode(verification)
  ),
  orderId: of(nullable(text), ({ orderId }: Given) => orderId),
  deviceId: of(nullable(word), ({ deviceId }: Given) => deviceId),
  expiresAt: of(nullable(time), ({ verification }: Given) => verification?.expiresAt ?? null),
  open: of(bool, ({ verification }: Given) => verification !== null && Verification.awaitsExpiry(verification)),
  status: of(nullable(word), ({ verification }: Given) => verification?.status ?? null),
  channel: of(nullable(word), ({ verification }: Given) => verification?.channel ?? null),
  country: of(nullable(word), ({ verification }: Given) =>
    verification === null ? null : Verification.countryOf(verification)
  ),
  reference: of(nullable(text), ({ verification }: Given) => verification?.orderId ?? null),
  outcome: of(nullable(word), ({ verification }: Given) => (verification === null ? null : keptOutcome(verification)))
})

export const encode = (change: VerificationChange): EncodedChange => ({
  change,
  key: `${change.subject.environment}\u0000${change.subject.canonical}`,
  values: given.encode(change),
  outgoing: encodeOutgoing(change)
})

const columns = [...given.names.filter((name) => name !== "version" && name !== "subject"), "n"]
  .map((name) => `c.${name}`)
  .join(", ")

/** The queries that a batch may need, and which changes need them. */
const needs = {
  known: ({ subject }: Given) => subject.version > 0,
  fresh: ({ subject }: Given) => subject.version <= 0,
  referred: ({ orderId, verification }: Given) => orderId !== null && verification !== null,
  belonging: ({ deviceId }: Given) => deviceId !== null
}

type Need = keyof typeof needs

const allNeeds = Object.keys(needs) as ReadonlyArray<Need>

/** A known subject is updated: an upsert would recreate a deleted one. */
const known = `known as (
  update subject s set version = c.version + 1, state = c.subject
  from (
    select c.*, t.place, t.found from change c
    cross join lateral (
      select ctid as place, version as found from subject
      where environment = c.environment and canonical = c.canonical and version = c.version offset 0
    ) t
    where c.version > 0
  ) c
  where s.ctid = c.place and s.version = c.found
  returning ${columns}, s.version
)`

const fresh = `fresh as (
  insert into subject (environment, canonical, version, state)
  select environment, canonical, 1 - version, subject from change where version <= 0 order by n
  on conflict (environment, canonical) do nothing
  returning environment, canonical
)`

const verified = `verified as (
  insert into verification (environment, id, canonical, state, expires_at, open, status, channel, country, order_id, outcome)
  select environment, id, canonical, verification, expires_at, open, status, channel, country, reference, outcome
  from ok where id is not null order by n
  on conflict (environment, id) do update
    set state = excluded.state, expires_at = excluded.expires_at, open = excluded.open, status = excluded.status,
      channel = excluded.channel, order_id = excluded.order_id, outcome = excluded.outcome
)`

const referred = `referred as (
  insert into order_reference (environment, order_id, verification_id, updated_at)
  select distinct on (environment, order_id) environment, order_id, id, now()
  from ok where order_id is not null and id is not null order by environment, order_id, n desc
  on conflict (environment, order_id) do update
    set verification_id = excluded.verification_id, updated_at = excluded.updated_at
)`

const belonging = `belonging as (
  insert into device (environment, id, canonical, trusted_at)
  select environment, device_id, canonical, now() from ok where device_id is not null order by environment, device_id
  on conflict (environment, id) do update set trusted_at = excluded.trusted_at
)`

const okOf = {
  known: "select * from known",
  fresh: `select ${columns}, 1 - version as version from change c where version <= 0 and ((environment, canonical) in (select environment, canonical from fresh)) is true`
}

const compose = (there: ReadonlyArray<Need>): OutboxStatement => {
  const has = (need: Need) => there.includes(need)
  const change = `change as materialized (
  select * from unnest(${given.given(1)})
    with ordinality as c(${given.names.join(", ")}, n)
)`
  const oks = [...(has("known") ? [okOf.known] : []), ...(has("fresh") ? [okOf.fresh] : [])]
  return outboxStatement({
    own: [
      change,
      ...(has("known") ? [known] : []),
      ...(has("fresh") ? [fresh] : []),
      `ok as materialized (\n  ${oks.join("\n  union all\n  ")}\n)`
    ].join(", "),
    writes: [verified, ...(has("referred") ? [referred] : []), ...(has("belonging") ? [belonging] : [])].join(", "),
    parameters: given.names.length,
    answer: "n::int, version"
  })
}

/**
 * Commits all changes of a batch in one statement. A subject's version is the only guard: everything else in a change
 * is written if its subject's version moved. Returns the positions that succeeded, and their new versions.
 *
 * There is one statement for each set of queries that a batch needs, because a query costs time even without rows. Rows
 * arrive sorted, and rows of other tables are sorted here, so that concurrent statements lock in the same order.
 *
 * The plan's shape is forced here for the reasons given in `outboxStatement`.
 */
export const commit = composedOnce(compose)

/** The statement with every query. */
export const whole = commit(allNeeds)

/** The statement for a batch, and its parameters. */
export const sent = (batch: ReadonlyArray<Pick<EncodedChange, "change" | "values">>) => ({
  statement: commit(allNeeds.filter((need) => batch.some(({ change }) => needs[need](change)))),
  parameters: given.parameters(batch.map(({ values }) => values))
})
