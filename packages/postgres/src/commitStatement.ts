import { type VerificationChange, Subject, Verification } from "@countersign/core"
import { bools, instants, ints, texts } from "./parameters.ts"
import { jobChannel } from "./PgWakeUps.ts"
import { eventParameters, jobParameters } from "./recordParameters.ts"

/** A change as rows of text, made in its caller's own fiber: what cannot be written harms nobody else. */
export interface EncodedChange {
  readonly change: VerificationChange
  readonly key: string
  readonly subject: string
  readonly verification: string | null
  readonly events: ReadonlyArray<string>
  readonly jobs: ReadonlyArray<string>
}

export const encode = (change: VerificationChange): EncodedChange => ({
  change,
  key: `${change.subject.environment}\u0000${change.subject.canonical}`,
  subject: Subject.encode(change.subject),
  verification: change.verification === null ? null : Verification.encode(change.verification),
  events: change.events.map((event) => JSON.stringify(event.data)),
  jobs: change.jobs.map((job) => JSON.stringify(job.payload))
})

const given =
  "environment, canonical, version, subject, id, verification, order_id, done, done_attempt, device_id, expires_at, open, n"
const columns =
  "c.environment, c.canonical, c.subject, c.id, c.verification, c.order_id, c.done, c.done_attempt, c.device_id, c.expires_at, c.open, c.n"

/**
 * All changes of a batch in one statement. A subject's version is the only guard: whatever else a change carries is
 * written for those subjects whose version moved. Answers with the positions that succeeded.
 *
 * A new subject is inserted, a known one updated: an upsert would bring a missing one back. Rows come sorted, and rows
 * of other tables are sorted here, so that two statements lock in one order. What a done job makes room for is added
 * after it is gone.
 *
 * The plan is made once, often while the tables are still empty, so its shape is forced. `offset 0` makes a lookup by
 * key; the row found is changed by its place, if nobody was faster: then its version or attempt is another, too.
 * `(… in …) is true` is a look into a hash table; as a join it would be a loop in a loop. `(dead_at is null) is true`
 * keeps the index of due jobs out of it, which would be walked from one end to the other.
 */
const commit = (answer: string) => `
with change as materialized (
  select * from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int[],
      $25::text[], $26::timestamptz[], $27::bool[])
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
  returning ${columns}
), fresh as (
  insert into subject (environment, canonical, version, state)
  select environment, canonical, 1, subject from change where version = 0 order by n
  on conflict (environment, canonical) do nothing
  returning environment, canonical
), ok as materialized (
  select * from known
  union all
  select ${columns} from change c where version = 0 and ((environment, canonical) in (select environment, canonical from fresh)) is true
), verified as (
  insert into verification (environment, id, canonical, state, expires_at, open)
  select environment, id, canonical, verification, expires_at, open from ok where id is not null order by n
  on conflict (environment, id) do update
    set state = excluded.state, expires_at = excluded.expires_at, open = excluded.open
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
), recorded as (
  insert into event (environment, id, type, created_at, data)
  select environment, id, type, created_at, data
  from unnest($10::int[], $11::text[], $12::text[], $13::text[], $14::timestamptz[], $15::text[])
    as e(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true
), done as (
  delete from job j using (
    select t.place, t.attempt from ok
    cross join lateral (
      select ctid as place, attempt from job where key = ok.done and attempt = ok.done_attempt offset 0
    ) t
    where ok.done is not null
  ) l
  where j.ctid = l.place and j.attempt = l.attempt and (j.dead_at is null) is true
  returning 1
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest($16::int[], $17::text[], $18::text[], $19::text[], $20::text[], $21::timestamptz[], $22::int[], $23::text[],
      $24::text[])
    as j(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true and (select count(*) from done) >= 0
  order by key
  on conflict (key) do nothing
)
select ${answer} from ok`

/** For a batch that adds nothing anybody else should start at once. */
export const quiet = commit("n::int")
/** Also wakes the workers of every process. Notifying serialises commits, so it is done only for work that is due. */
export const waking = commit(`n::int, case when exists (
  select 1 from unnest($21::timestamptz[], $22::int[], $24::text[]) as j(run_at, attempt, lane)
  where j.attempt = 0 and j.lane is null and j.run_at <= now() + interval '1 second'
) then pg_notify('${jobChannel}', '') end`)

export const parameters = (batch: ReadonlyArray<EncodedChange>): ReadonlyArray<unknown> => {
  const events = batch.flatMap(({ change, events }, index) =>
    change.events.map((event, at) => ({ event, data: events[at]!, n: index + 1 }))
  )
  const jobs = batch.flatMap(({ change, jobs }, index) =>
    change.jobs.map((job, at) => ({ job, payload: jobs[at]!, n: index + 1 }))
  )
  return [
    texts(batch.map(({ change }) => change.subject.environment)),
    texts(batch.map(({ change }) => change.subject.canonical)),
    ints(batch.map(({ change }) => change.subject.version)),
    texts(batch.map(({ subject }) => subject)),
    texts(batch.map(({ change }) => change.verification?.id ?? null)),
    texts(batch.map(({ verification }) => verification)),
    texts(batch.map(({ change }) => change.orderId)),
    texts(batch.map(({ change }) => change.done?.key ?? null)),
    ints(batch.map(({ change }) => change.done?.fence ?? null)),
    ints(events.map(({ n }) => n)),
    ...eventParameters(events),
    ints(jobs.map(({ n }) => n)),
    ...jobParameters(jobs),
    texts(batch.map(({ change }) => change.deviceId)),
    instants(batch.map(({ change }) => change.verification?.expiresAt ?? null)),
    bools(batch.map(({ change }) => change.verification !== null && Verification.awaitsExpiry(change.verification)))
  ]
}
