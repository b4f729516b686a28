import { Verification } from "@countersign/core"
import { Subject, type VerificationChange } from "@countersign/core/storage"
import { type EncodedOutgoing, encode as encodeOutgoing } from "./outboxParts.ts"
import { outboxStatement } from "./outboxStatement.ts"
import { bools, instants, ints, texts } from "./parameters.ts"

/** A change as rows of text, made in its caller's own fiber: what cannot be written harms nobody else. */
export interface EncodedChange {
  readonly change: VerificationChange
  readonly key: string
  readonly subject: string
  readonly verification: string | null
  readonly outgoing: EncodedOutgoing
}

export const encode = (change: VerificationChange): EncodedChange => ({
  change,
  key: `${change.subject.environment}\u0000${change.subject.canonical}`,
  subject: Subject.encode(change.subject),
  verification: change.verification === null ? null : Verification.encode(change.verification),
  outgoing: encodeOutgoing(change)
})

const given =
  "environment, canonical, version, subject, id, verification, order_id, device_id, expires_at, open, status, channel, country, reference, n"
const columns =
  "c.environment, c.canonical, c.id, c.verification, c.order_id, c.device_id, c.expires_at, c.open, c.status, c.channel, c.country, c.reference, c.n"

/**
 * All changes of a batch in one statement. A subject's version is the only guard: whatever else a change carries is
 * written for those subjects whose version moved. Answers with the positions that succeeded, and their versions.
 *
 * A new subject is inserted, a known one updated: an upsert would bring a missing one back. Rows come sorted, and rows
 * of other tables are sorted here, so that two statements lock in one order.
 *
 * The plan's shape is forced here as in `outboxStatement`, which has the reasons.
 */
export const commit = outboxStatement({
  own: `change as materialized (
  select * from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::timestamptz[], $10::bool[], $11::text[], $12::text[], $13::text[], $14::text[])
    with ordinality as c(${given})
), known as (
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
), fresh as (
  insert into subject (environment, canonical, version, state)
  select environment, canonical, 1, subject from change where version = 0 order by n
  on conflict (environment, canonical) do nothing
  returning environment, canonical
), ok as materialized (
  select * from known
  union all
  select ${columns}, 1 as version from change c where version = 0 and ((environment, canonical) in (select environment, canonical from fresh)) is true
)`,
  writes: `verified as (
  insert into verification (environment, id, canonical, state, expires_at, open, status, channel, country, order_id)
  select environment, id, canonical, verification, expires_at, open, status, channel, country, reference
  from ok where id is not null order by n
  on conflict (environment, id) do update
    set state = excluded.state, expires_at = excluded.expires_at, open = excluded.open, status = excluded.status,
      channel = excluded.channel, order_id = excluded.order_id
), referred as (
  insert into order_reference (environment, order_id, verification_id, updated_at)
  select distinct on (environment, order_id) environment, order_id, id, now()
  from ok where order_id is not null and id is not null order by environment, order_id, n desc
  on conflict (environment, order_id) do update
    set verification_id = excluded.verification_id, updated_at = excluded.updated_at
), belonging as (
  insert into device (environment, id, canonical, trusted_at)
  select environment, device_id, canonical, now() from ok where device_id is not null order by environment, device_id
  on conflict (environment, id) do update set trusted_at = excluded.trusted_at
)`,
  parameters: 14,
  answer: "n::int, version"
})

export const parameters = (batch: ReadonlyArray<EncodedChange>): ReadonlyArray<unknown> => [
  texts(batch.map(({ change }) => change.subject.environment)),
  texts(batch.map(({ change }) => change.subject.canonical)),
  ints(batch.map(({ change }) => change.subject.version)),
  texts(batch.map(({ subject }) => subject)),
  texts(batch.map(({ change }) => change.verification?.id ?? null)),
  texts(batch.map(({ verification }) => verification)),
  texts(batch.map(({ change }) => change.orderId)),
  texts(batch.map(({ change }) => change.deviceId)),
  instants(batch.map(({ change }) => change.verification?.expiresAt ?? null)),
  bools(batch.map(({ change }) => change.verification !== null && Verification.awaitsExpiry(change.verification))),
  texts(batch.map(({ change }) => change.verification?.status ?? null)),
  texts(batch.map(({ change }) => change.verification?.channel ?? null)),
  texts(batch.map(({ change }) => (change.verification === null ? null : Verification.countryOf(change.verification)))),
  texts(batch.map(({ change }) => change.verification?.orderId ?? null))
]
