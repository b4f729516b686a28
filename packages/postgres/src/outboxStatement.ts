import { Job, type Outgoing } from "@countersign/core/storage"
import { bools, instants, ints, texts } from "./parameters.ts"
import { concernsOthers, jobChannel } from "./PgWakeUps.ts"

/** What a change leaves, with its texts, made in its caller's own fiber: what cannot be written harms nobody else. */
export interface EncodedOutgoing {
  readonly outgoing: Outgoing
  readonly data: ReadonlyArray<string>
  readonly payloads: ReadonlyArray<string>
}

export const encode = (outgoing: Outgoing): EncodedOutgoing => ({
  outgoing,
  data: outgoing.events.map((event) => JSON.stringify(event.data)),
  payloads: outgoing.jobs.map((job) => JSON.stringify(job.payload))
})

/** One statement, in two texts. */
export interface OutboxStatement {
  /** For a batch that adds nothing anybody else should start at once. */
  readonly quiet: string
  /** Also wakes the workers of every process. Notifying serialises commits, so it is done only for work that is due. */
  readonly waking: string
}

/** The part of an aggregate in the statement that commits its changes. */
export interface OwnStatement {
  /**
   * The queries of a `with` that write a batch of changes. One of them, `ok`, is materialized and has the positions `n`,
   * from 1, of the changes whose guard held: what those leave is written, and nothing of the others.
   */
  readonly own: string
  /** How many parameters `own` has; those of the outbox come after them. */
  readonly parameters: number
  /** What is answered of each row of `ok`. */
  readonly answer: string
  /** For what no version guards: an event that is there already stays as it is, so the statement may be run twice. */
  readonly repeatable?: boolean
}

/**
 * The statement that commits a batch of one aggregate's changes, with all that they leave, in one step. Every door to
 * storage is made by it.
 *
 * Rows are sorted, so that two statements lock in one order. What a done job makes room for is added after it is gone.
 *
 * The plan is made once, often while the tables are still empty, so its shape is forced. `offset 0` makes a lookup by
 * key; the row found is changed by its place, if nobody was faster: then its attempt is another, too. `(… in …) is true`
 * is a look into a hash table; as a join it would be a loop in a loop. `(dead_at is null) is true` keeps the index of
 * due jobs out of it, which would be walked from one end to the other.
 */
export const outboxStatement = ({ answer, own, parameters, repeatable = false }: OwnStatement): OutboxStatement => {
  const $ = (n: number) => `$${parameters + n}`
  const text = (answers: string) => `
with ${own}, done as (
  delete from job j using (
    select t.place, t.attempt from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::int[]) as l(n, key, attempt)
    cross join lateral (
      select ctid as place, attempt from job where key = l.key and attempt = l.attempt offset 0
    ) t
    where (l.n in (select n from ok)) is true
  ) d
  where j.ctid = d.place and j.attempt = d.attempt and (j.dead_at is null) is true
  returning 1
), recorded as (
  insert into event (environment, id, type, created_at, data)
  select environment, id, type, created_at, data
  from unnest(${$(4)}::int[], ${$(5)}::text[], ${$(6)}::text[], ${$(7)}::text[], ${$(8)}::timestamptz[], ${$(9)}::text[])
    as e(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true${repeatable ? " on conflict (environment, id) do nothing" : ""}
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest(${$(10)}::int[], ${$(11)}::text[], ${$(12)}::text[], ${$(13)}::text[], ${$(14)}::text[], ${$(15)}::timestamptz[], ${$(16)}::int[], ${$(17)}::text[],
      ${$(18)}::text[])
    as j(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true and (select count(*) from done) >= 0
  order by key
  on conflict (key) do nothing
)
select ${answers} from ok`
  return {
    quiet: text(answer),
    waking: text(`${answer}, case when exists (
  select 1 from unnest(${$(15)}::timestamptz[], ${$(19)}::bool[]) as j(run_at, told) where j.told and j.run_at <= now() + interval '1 second'
) then pg_notify('${jobChannel}', '') end`)
  }
}

/** What a batch of changes leaves, as the parameters of the outbox: in the order of the changes in `own`. */
export const outboxParameters = (batch: ReadonlyArray<EncodedOutgoing>): ReadonlyArray<unknown> => {
  const done = batch.flatMap(({ outgoing }, at) => (outgoing.done === null ? [] : [{ ...outgoing.done, n: at + 1 }]))
  const events = batch.flatMap(({ data, outgoing }, at) =>
    outgoing.events.map((event, i) => ({ event, data: data[i]!, n: at + 1 }))
  )
  const jobs = batch.flatMap(({ outgoing, payloads }, at) =>
    outgoing.jobs.map((job, i) => ({ job, payload: payloads[i]!, n: at + 1 }))
  )
  return [
    ints(done.map(({ n }) => n)),
    texts(done.map(({ key }) => key)),
    ints(done.map(({ fence }) => fence)),
    ints(events.map(({ n }) => n)),
    texts(events.map(({ event }) => event.environment)),
    texts(events.map(({ event }) => event.id)),
    texts(events.map(({ event }) => event.type)),
    instants(events.map(({ event }) => event.createdAt)),
    texts(events.map(({ data }) => data)),
    ints(jobs.map(({ n }) => n)),
    texts(jobs.map(({ job }) => job.key)),
    texts(jobs.map(({ job }) => job.environment)),
    texts(jobs.map(({ job }) => job.kind)),
    texts(jobs.map(({ payload }) => payload)),
    // A job that somebody holds falls due for others when the lease ends.
    instants(jobs.map(({ job }) => (Job.isLeased(job) ? job.leasedUntil : job.runAt))),
    ints(jobs.map(({ job }) => (Job.isLeased(job) ? job.fence : 0))),
    texts(jobs.map(({ job }) => job.gate ?? "")),
    // In a gate, a job without a lane of its own is in that of all others.
    texts(jobs.map(({ job }) => job.lane ?? (job.gate === undefined ? null : ""))),
    bools(jobs.map(({ job }) => concernsOthers(job)))
  ]
}
