import type { Balance, Outgoing } from "@countersign/core/storage"
import { booked, terms } from "./bookedParts.ts"
import type { Part, PartName } from "./outboxPart.ts"
import { auditEntry, done, event, fact, foldedFact, job, notified } from "./outboxTables.ts"
import { jobChannel } from "./PgSchema.ts"
import { concernsOthers } from "./PgWakeUps.ts"
import { numbered, plain, type Rows, type Table, unnested, type Values } from "./table.ts"

/**
 * The effects of a change, with encoded rows. Encoding runs in the caller's own fiber, so that a value that cannot be
 * stored harms no other change.
 */
export interface EncodedOutgoing {
  readonly outgoing: Outgoing
  /** The rows of each part, in the order of `parts`. */
  readonly rows: ReadonlyArray<ReadonlyArray<Values>>
}

/** The owner of a change without an aggregate: see `ownerOf` of `Batcher`. A job that ends is its own owner. */
export const ownerOfOutgoing = ({ audited, booked, done, events, facts, folded, jobs }: Outgoing): string =>
  (events[0] ?? jobs[0] ?? facts[0] ?? folded[0] ?? booked[0])?.environment ?? done?.key ?? audited[0]?.id ?? ""

/** Changes in one statement, in the order of their positions in `own`. */
export type Batch = ReadonlyArray<EncodedOutgoing>

const none: ReadonlyArray<never> = []

/** Encodes the rows of a part in a change; most changes have none. */
export const left = <A>(rows: ReadonlyArray<A>, { encode }: Rows<A>): ReadonlyArray<Values> =>
  rows.length === 0 ? none : rows.map(encode)

/** Whether the change of a row is `ok`. */
export const isOk = "(n in (select n from ok)) is true"

/** Inserts the rows of changes that are `ok`, in order. */
const insert = (
  name: string,
  table: Table,
  { and = "", from, rest }: { readonly from: number; readonly and?: string; readonly rest: string }
) => `${name} as (
  insert into ${table.table} (${table.columns.join(", ")})
  select ${table.columns.join(", ")}
  from ${unnested(table, from, "g")}
  where ${isOk}${and}${rest}
)`

/**
 * All effects that a change may have. Postgres promises no order between queries that do not read each other. If one
 * has to wait for another, as `added` for `done`, it reads it. The others insert rows that no other change has, or sort
 * their rows. If two statements still deadlock, Postgres ends one, and its batch is resent.
 *
 * Today's Postgres versions start with the last query. So they reach the balance last, which other statements wait for.
 * Another order would be slower, not wrong.
 */
export const parts: { readonly [P in PartName]: Part } = {
  terms,
  booked,
  done: {
    table: done,
    encode: ({ done: lease }) => (lease === null ? none : [done.encode(lease)]),
    query: ({ from }) => `done as (
  delete from job j using (
    select t.place, t.attempt from ${unnested(done, from, "l")}
    cross join lateral (
      select ctid as place, attempt from job where key = l.key and attempt = l.attempt offset 0
    ) t
    where (l.n in (select n from ok)) is true
  ) d
  where j.ctid = d.place and j.attempt = d.attempt and (j.dead_at is null) is true
  returning 1
)`
  },
  recorded: {
    table: event,
    encode: ({ events }) => left(events, event),
    query: ({ from, repeatable }) =>
      insert("recorded", event, { from, rest: repeatable ? " on conflict (environment, id) do nothing" : "" })
  },
  /** Jobs are added after a finished job with the same key is deleted. */
  added: {
    table: job,
    encode: ({ jobs }) => left(jobs, job),
    query: ({ from, has }) =>
      insert("added", job, {
        from,
        and: has("done") ? " and (select count(*) from done) >= 0" : "",
        rest: "\n  order by key\n  on conflict (key) do nothing"
      })
  },
  /** Wakes the workers of every process. Notifying serialises commits, so it is done only for work that is due. */
  told: {
    table: notified,
    encode: ({ jobs }) => (jobs.length === 0 ? none : left(jobs.filter(concernsOthers), notified)),
    isPlain: true,
    query: ({ from }) => `told as materialized (
  select exists (select 1 from ${plain(notified, from, "t")} where run_at <= now() + interval '1 second') as due
)`,
    answer: `case when (select due from told) then pg_notify(${jobChannel}, '') end`
  },
  /** Facts that only add are merged: equal facts of a statement become one row, under the smallest of their keys. */
  noted: {
    table: fact,
    encode: ({ facts }) => left(facts, fact),
    query: ({ from }) => `noted as (
  insert into fact (kind, environment, at, key, value, times)
  select kind, environment, at, min(key), value, count(distinct key)::int
  from ${unnested(fact, from, "f")}
  where ${isOk}
  group by kind, environment, at, value, case when adds then '' else key end
  order by kind, environment, at, min(key)
  on conflict (kind, environment, at, key) do nothing
)`
  },
  /** A fact never changes, so a fact that another statement deleted first needs no handling. */
  folded: {
    table: foldedFact,
    encode: ({ folded }) => left(folded, foldedFact),
    query: ({ from }) => `folded as (
  delete from fact f using (
    select t.place
    from ${unnested(foldedFact, from, "l")}
    cross join lateral (
      select ctid as place from fact
      where kind = l.kind and environment = l.environment and at = l.at and key = l.key offset 0
    ) t
    where (l.n in (select n from ok)) is true
  ) d
  where f.ctid = d.place
)`
  },
  audited: {
    table: auditEntry,
    encode: ({ audited }) => left(audited, auditEntry),
    query: ({ from }) =>
      insert("audited", auditEntry, {
        from,
        rest: "\n  order by merchant_id, id\n  on conflict (merchant_id, id) do nothing"
      })
  }
}

const names = Object.keys(parts) as ReadonlyArray<PartName>
const all = Object.values(parts)

export const encode = (outgoing: Outgoing, terms?: Balance): EncodedOutgoing => {
  const rows = new Array<ReadonlyArray<Values>>(all.length)
  for (let i = 0; i < all.length; i++) {
    rows[i] = all[i]!.encode(outgoing, terms)
  }
  return { outgoing, rows }
}

/** The parts of a batch, and their parameters in the same order. */
export const leftBy = (batch: Batch) => {
  const there: Array<PartName> = []
  const parameters: Array<unknown> = []
  for (let i = 0; i < all.length; i++) {
    const { isPlain, table, with: other } = all[i]!
    if (batch.every(({ rows }) => rows[i]!.length === 0) && (other === undefined || !there.includes(other))) continue
    const rows = batch.map(({ rows }) => rows[i]!)
    there.push(names[i]!)
    parameters.push(...(isPlain === true ? table.parameters(rows.flat()) : numbered(table, rows)))
  }
  return { left: there, parameters }
}
