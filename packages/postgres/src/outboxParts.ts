import { actorName, type Balance, Job, type Outgoing } from "@countersign/core/storage"
import { booked, type EncodedBooking, encodeBooking, terms } from "./bookedParts.ts"
import { bools, instants, ints, texts } from "./parameters.ts"
import { encodeEntry } from "./PgAuditStore.ts"
import { jobChannel } from "./PgSchema.ts"
import { concernsOthers } from "./PgWakeUps.ts"

/** What a change leaves, with its texts, made in its caller's own fiber: what cannot be written harms nobody else. */
export interface EncodedOutgoing {
  readonly outgoing: Outgoing
  readonly data: ReadonlyArray<string>
  readonly payloads: ReadonlyArray<string>
  readonly values: ReadonlyArray<string>
  readonly entries: ReadonlyArray<string>
  readonly money: ReadonlyArray<EncodedBooking>
  /** What the door of balances alone writes beside amounts. */
  readonly terms?: Balance
}

export const encode = (outgoing: Outgoing): EncodedOutgoing => ({
  outgoing,
  data: outgoing.events.map((event) => JSON.stringify(event.data)),
  payloads: outgoing.jobs.map((job) => JSON.stringify(job.payload)),
  values: outgoing.facts.map((fact) => JSON.stringify(fact.value)),
  entries: outgoing.audited.map(encodeEntry),
  money: outgoing.booked.map(encodeBooking)
})

/** Whose rows a change writes where no aggregate says it: see `ownerOf` of `Batcher`. A job that ends is nobody else's. */
export const ownerOfOutgoing = ({ audited, booked, done, events, facts, folded, jobs }: Outgoing): string =>
  (events[0] ?? jobs[0] ?? facts[0] ?? folded[0] ?? booked[0])?.environment ?? done?.key ?? audited[0]?.id ?? ""

/** Changes that travel together, in the order of their positions in `own`. */
export type Batch = ReadonlyArray<EncodedOutgoing>

/** What is known of a statement when one of its queries is written. */
export interface Around {
  /** The name of the query's parameter, from 1. */
  readonly $: (n: number) => string
  readonly has: (part: PartName) => boolean
  readonly repeatable: boolean
}

/** One kind of thing that changes leave: the query that writes it, and what it is given of a batch. */
export interface Part {
  /** Whether there is any of it in the batch. */
  readonly isIn: (batch: Batch) => boolean
  readonly count: number
  readonly parameters: (batch: Batch) => ReadonlyArray<unknown>
  readonly query: (around: Around) => string
  /** What the statement answers besides, once for each change. */
  readonly answer?: (around: Around) => string
}

const done: Part = {
  isIn: (batch) => batch.some(({ outgoing }) => outgoing.done !== null),
  count: 3,
  parameters: (batch) => {
    const rows = batch.flatMap(({ outgoing }, at) => (outgoing.done === null ? [] : [{ ...outgoing.done, n: at + 1 }]))
    return [ints(rows.map(({ n }) => n)), texts(rows.map(({ key }) => key)), ints(rows.map(({ fence }) => fence))]
  },
  query: ({ $ }) => `done as (
  delete from job j using (
    select t.place, t.attempt from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::int[]) as l(n, key, attempt)
    cross join lateral (
      select ctid as place, attempt from job where key = l.key and attempt = l.attempt offset 0
    ) t
    where (l.n in (select n from ok)) is true
  ) d
  where j.ctid = d.place and j.attempt = d.attempt and (j.dead_at is null) is true
  returning 1
)`
}

const recorded: Part = {
  isIn: (batch) => batch.some(({ data }) => data.length > 0),
  count: 6,
  parameters: (batch) => {
    const rows = batch.flatMap(({ data, outgoing }, at) =>
      outgoing.events.map((event, i) => ({ event, data: data[i]!, n: at + 1 }))
    )
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ event }) => event.environment)),
      texts(rows.map(({ event }) => event.id)),
      texts(rows.map(({ event }) => event.type)),
      instants(rows.map(({ event }) => event.createdAt)),
      texts(rows.map(({ data }) => data))
    ]
  },
  query: ({ $, repeatable }) => `recorded as (
  insert into event (environment, id, type, created_at, data)
  select environment, id, type, created_at, data
  from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::text[], ${$(4)}::text[], ${$(5)}::timestamptz[], ${$(6)}::text[])
    as e(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true${repeatable ? " on conflict (environment, id) do nothing" : ""}
)`
}

/** What a done job makes room for is added after it is gone. */
const added: Part = {
  isIn: (batch) => batch.some(({ payloads }) => payloads.length > 0),
  count: 9,
  parameters: (batch) => {
    const rows = batch.flatMap(({ outgoing, payloads }, at) =>
      outgoing.jobs.map((job, i) => ({ job, payload: payloads[i]!, n: at + 1 }))
    )
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ job }) => job.key)),
      texts(rows.map(({ job }) => job.environment)),
      texts(rows.map(({ job }) => job.kind)),
      texts(rows.map(({ payload }) => payload)),
      // A job that somebody holds falls due for others when the lease ends.
      instants(rows.map(({ job }) => (Job.isLeased(job) ? job.leasedUntil : job.runAt))),
      ints(rows.map(({ job }) => (Job.isLeased(job) ? job.fence : 0))),
      texts(rows.map(({ job }) => job.gate ?? "")),
      // In a gate, a job without a lane of its own is in that of all others.
      texts(rows.map(({ job }) => job.lane ?? (job.gate === undefined ? null : "")))
    ]
  },
  query: ({ $, has }) => `added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::text[], ${$(4)}::text[], ${$(5)}::text[], ${$(6)}::timestamptz[], ${$(7)}::int[], ${$(8)}::text[],
      ${$(9)}::text[])
    as j(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true${has("done") ? " and (select count(*) from done) >= 0" : ""}
  order by key
  on conflict (key) do nothing
)`
}

/** Wakes the workers of every process. Notifying serialises commits, so it is done only for work that is due. */
const told: Part = {
  isIn: (batch) => batch.some(({ outgoing }) => outgoing.jobs.some(concernsOthers)),
  count: 1,
  parameters: (batch) => {
    const jobs = batch.flatMap(({ outgoing }) => outgoing.jobs.filter(concernsOthers))
    return [instants(jobs.map(({ runAt }) => runAt))]
  },
  query: ({ $ }) => `told as materialized (
  select exists (select 1 from unnest(${$(1)}::timestamptz[]) as run_at where run_at <= now() + interval '1 second') as due
)`,
  answer: () => `case when (select due from told) then pg_notify(${jobChannel}, '') end`
}

const noted: Part = {
  isIn: (batch) => batch.some(({ values }) => values.length > 0),
  count: 7,
  parameters: (batch) => {
    const rows = batch.flatMap(({ outgoing, values }, at) =>
      outgoing.facts.map((fact, i) => ({ fact, value: values[i]!, n: at + 1 }))
    )
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ fact }) => fact.kind)),
      texts(rows.map(({ fact }) => fact.environment)),
      instants(rows.map(({ fact }) => fact.at)),
      texts(rows.map(({ fact }) => fact.key)),
      texts(rows.map(({ value }) => value)),
      bools(rows.map(({ fact }) => fact.adds === true))
    ]
  },
  // What only adds is one row for all of the statement that say the same, under the key of one of them.
  query: ({ $ }) => `noted as (
  insert into fact (kind, environment, at, key, value, times)
  select kind, environment, at, min(key), value, count(distinct key)::int
  from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::text[], ${$(4)}::timestamptz[], ${$(5)}::text[], ${$(6)}::text[], ${$(7)}::bool[])
    as f(n, kind, environment, at, key, value, adds)
  where (n in (select n from ok)) is true
  group by kind, environment, at, value, case when adds then '' else key end
  order by kind, environment, at, min(key)
  on conflict (kind, environment, at, key) do nothing
)`
}

/** A fact never changes: who finds it deleted by somebody faster leaves it at that. */
const folded: Part = {
  isIn: (batch) => batch.some(({ outgoing }) => outgoing.folded.length > 0),
  count: 5,
  parameters: (batch) => {
    const rows = batch.flatMap(({ outgoing }, at) => outgoing.folded.map((fact) => ({ ...fact, n: at + 1 })))
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ kind }) => kind)),
      texts(rows.map(({ environment }) => environment)),
      instants(rows.map(({ at }) => at)),
      texts(rows.map(({ key }) => key))
    ]
  },
  query: ({ $ }) => `folded as (
  delete from fact f using (
    select t.place
    from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::text[], ${$(4)}::timestamptz[], ${$(5)}::text[])
      as l(n, kind, environment, at, key)
    cross join lateral (
      select ctid as place from fact
      where kind = l.kind and environment = l.environment and at = l.at and key = l.key offset 0
    ) t
    where (l.n in (select n from ok)) is true
  ) d
  where f.ctid = d.place
)`
}

const audited: Part = {
  isIn: (batch) => batch.some(({ entries }) => entries.length > 0),
  count: 9,
  parameters: (batch) => {
    const rows = batch.flatMap(({ entries, outgoing }, at) =>
      outgoing.audited.map((entry, i) => ({ entry, text: entries[i]!, n: at + 1 }))
    )
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ entry }) => entry.merchantId)),
      texts(rows.map(({ entry }) => entry.id)),
      texts(rows.map(({ entry }) => entry.environment)),
      instants(rows.map(({ entry }) => entry.at)),
      texts(rows.map(({ entry }) => entry.action)),
      texts(rows.map(({ entry }) => actorName(entry.actor))),
      texts(rows.map(({ entry }) => entry.target.id)),
      texts(rows.map(({ text }) => text))
    ]
  },
  query: ({ $ }) => `audited as (
  insert into audit (merchant_id, id, environment, at, action, actor_id, target_id, entry)
  select merchant_id, id, environment, at, action, actor_id, target_id, entry
  from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::text[], ${$(4)}::text[], ${$(5)}::timestamptz[], ${$(6)}::text[], ${$(7)}::text[], ${$(8)}::text[], ${$(9)}::text[])
    as a(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
)`
}

/** All that a change may leave. Postgres writes it from the last to the first: nothing waits for others but money. */
export const parts = { terms, booked, done, recorded, added, told, noted, folded, audited }

export type PartName = keyof typeof parts
