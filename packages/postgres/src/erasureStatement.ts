import { Erasure, Subject, type ErasureStore } from "@countersign/core/storage"
import { outboxStatement } from "./outboxStatement.ts"
import { int, text, texts } from "./parameters.ts"
import * as Table from "./table.ts"

type Person = ErasureStore.Change["people"][number]

/* The rows that a step affects, by key. Each kind is a list of its own among the parameters. */
const people = Table.rows<object>()("person", [], {
  canonical: Table.of(Table.text, ({ subject }: Person) => subject.canonical),
  // Negative: the person is created, with a version above this one.
  version: Table.of(Table.int, ({ becomes, subject }: Person) =>
    becomes === "made" ? -subject.version : subject.version
  ),
  state: Table.of(Table.nullable(Table.word), ({ becomes, subject }: Person) =>
    becomes === "gone" ? null : Subject.encode(subject)
  ),
  forgets: Table.of(Table.bool, ({ devices }: Person) => devices === "gone")
})
const messages = Table.rows<ErasureKey>()("message", [], { id: Table.word, version: Table.int })
const verifications = Table.rows<Pick<ErasureKey, "id">>()("verification", [], { id: Table.text })
const orders = Table.rows<{ readonly id: string; readonly verification: string }>()("order", [], {
  id: Table.text,
  verification: Table.word
})
const touches = Table.rows<{ readonly kind: Touched; readonly id: string }>()("touch", [], {
  kind: Table.word,
  id: Table.word
})
const silenced = Table.rows<Pick<ErasureStore.Change["silenced"][number], "id" | "data">>()("event", [], {
  id: Table.text,
  data: Table.json
})
const answers = Table.rows<{ readonly endpoint: string; readonly key: string }>()("answer", [], {
  endpoint: Table.text,
  key: Table.text
})

interface ErasureKey {
  readonly id: string
  readonly version: number
}

const sent = <A>(table: Table.Rows<A>, rows: ReadonlyArray<A>) => table.parameters(rows.map(table.encode))

/** Finds rows of `table` by key, one lookup for every row of `given`, whatever the table statistics say. */
const places = (table: string, given: string, condition: string) => `
  select t.place, t.part from ${given} g cross join lateral (
    select ctid as place, tableoid as part from ${table} where environment = $1 and ${condition} offset 0
  ) t where exists (select 1 from ok)`

const remove = (name: string, table: string, given: string, condition: string) => `${name} as (
  delete from ${table} t using (${places(table, given, condition)}) d where t.ctid = d.place and t.tableoid = d.part
)`

/**
 * Locks rows at their version. Every concurrent change of such a row moves its version, and a step that misses a row is
 * not `ok`.
 */
const held = (table: string, columns: string, given: string, condition: string) => `${table}_held as materialized (
  select g.*, t.place from (select * from ${given} offset 0) g cross join lateral (
    select ctid as place from ${table} where environment = $1 and ${condition} and version = g.version offset 0 for update
  ) t order by ${columns}
)`

/**
 * One step of an erasure, or of retention. It first locks everything that the change was decided on, at its version.
 * Rows without a version are written once and never changed, or no reader depends on them.
 *
 * The plan's shape is forced here for the reasons given in `outboxStatement`.
 */
export const commit = outboxStatement({
  own: `erasure_given as materialized (select $2::text as id, $3::int as version where $3 >= 0),
people_given as materialized (
  select * from ${Table.plain(people, 6, "p")} where version > 0
),
lead_given as materialized (select $10::int as id, $11::int as version where $10 > 0),
message_given as materialized (select * from ${Table.plain(messages, 13, "m")}),
${held("erasure", "id", "erasure_given", "id = g.id")},
${held("subject", "canonical", "people_given", "canonical = g.canonical")},
${held("lead", "id", "lead_given", "id = g.id")},
${held("lead_message", "id", "message_given", "id = g.id")},
ok as materialized (
  select 1 as n where ($3 <= 0 or exists (select 1 from erasure_held))
    and (select count(*) from subject_held) = (select count(*) from people_given)
    and (select count(*) from lead_held) = (select count(*) from lead_given)
    and (select count(*) from lead_message_held) = cardinality($13::text[])
),
began as (
  insert into erasure (environment, id, version, person, state)
  select $1, $2, 1, $4, $5 where $3 = 0 and exists (select 1 from ok)
),
went as (
  update erasure t set version = $3 + 1, state = $5 from erasure_held d where t.ctid = d.place and exists (select 1 from ok)
),
person_kept as (
  update subject t set version = d.version + 1, state = d.state from subject_held d
  where t.ctid = d.place and d.state is not null and exists (select 1 from ok)
),
person_gone as (
  delete from subject t using subject_held d where t.ctid = d.place and d.state is null and exists (select 1 from ok)
),
person_made as (
  insert into subject (environment, canonical, version, state)
  select $1, canonical, 1 - version, state from ${Table.plain(people, 6, "p")}
  where version <= 0 and exists (select 1 from ok)
  on conflict (environment, canonical) do update
    set version = greatest(subject.version + 1, excluded.version), state = excluded.state
),
lead_kept as (
  update lead t set version = d.version + 1 from lead_held d where t.ctid = d.place and $12 = 0 and exists (select 1 from ok)
),
lead_gone as (
  delete from lead t using lead_held d where t.ctid = d.place and $12 = 1 and exists (select 1 from ok)
  returning t.id, t.words
),
message_gone as (
  delete from lead_message t using lead_message_held d where t.ctid = d.place and exists (select 1 from ok)
),
${remove("device_gone", "device", "(select canonical from people_given where forgets)", "canonical = g.canonical")},
${remove("word_gone", "lead_word", "(select id, unnest(string_to_array(words, ' ')) as word from lead_gone)", "word = g.word and lead_id = g.id")},
${remove("read_gone", "lead_read", "lead_gone", "lead_id = g.id")},
${remove("entry_gone", "lead_entry", "lead_gone", "lead_id = g.id")},
${remove("verification_gone", "verification", `(select * from ${Table.plain(verifications, 15, "u")})`, "id = g.id")},
${remove("order_gone", "order_reference", `(select * from ${Table.plain(orders, 16, "u")})`, "order_id = g.id and verification_id = g.verification")},
${remove("touch_gone", "touch", `(select * from ${Table.plain(touches, 18, "u")})`, "kind = g.kind and id = g.id")},
${remove("fact_gone", "fact", "(select * from unnest($20::text[]) as u(kind))", "kind = g.kind and key = any($21::text[])")},
${remove("answer_gone", "idempotency", `(select * from ${Table.plain(answers, 24, "u")})`, "endpoint = g.endpoint and key = g.key")},
job_gone as (
  delete from job where key = any($26::text[]) and environment = $1 and dead_at is null and exists (select 1 from ok)
),
silenced as (
  update event t set data = d.data from (
    select t.place, t.part, g.data from ${Table.plain(silenced, 22, "g")} cross join lateral (
      select ctid as place, tableoid as part from event where environment = $1 and id = g.id offset 0
    ) t where exists (select 1 from ok)
  ) d where t.ctid = d.place and t.tableoid = d.part
),
unlogged as (
  update webhook_attempt t set response_body = null, error = null from (
    select t.place, t.part from webhook w cross join unnest($22::text[]) as g(id) cross join lateral (
      select ctid as place, tableoid as part from webhook_attempt where webhook_id = w.id and event_id = g.id offset 0
    ) t where w.environment = $1 and exists (select 1 from ok)
  ) d where t.ctid = d.place and t.tableoid = d.part
)`,
  parameters: 26,
  answer: "n"
})

/** The facts that would become touches of the removed verifications and leads. */
const countedAs = { VERIFICATION: "launch.verified", LEAD: "lead.referred" } as const
type Touched = keyof typeof countedAs

export const parameters = (change: ErasureStore.Change): ReadonlyArray<unknown> => {
  const { environment, erasure, lead } = change
  const touched: ReadonlyArray<{ readonly kind: Touched; readonly id: string }> = [
    ...change.verifications.map(({ id }) => ({ kind: "VERIFICATION" as const, id })),
    ...(lead?.becomes === "gone" ? [{ kind: "LEAD" as const, id: String(lead.lead.id) }] : [])
  ]
  return [
    text(environment),
    text(erasure?.id ?? ""),
    int(erasure?.version ?? -1),
    text(erasure?.person ?? ""),
    text(erasure === null ? "" : Erasure.encode(erasure)),
    ...sent(people, change.people),
    int(lead?.lead.id ?? 0),
    int(lead?.lead.version ?? 0),
    int(lead?.becomes === "gone" ? 1 : 0),
    ...sent(messages, change.messages),
    ...sent(verifications, change.verifications),
    ...sent(
      orders,
      change.verifications.flatMap(({ id, orderIds }) => orderIds.map((order) => ({ id: order, verification: id })))
    ),
    ...sent(touches, touched),
    texts([...new Set(touched.map(({ kind }) => countedAs[kind]))]),
    texts(touched.map(({ id }) => id)),
    ...sent(silenced, change.silenced),
    ...sent(answers, change.answers),
    texts(change.cancelled)
  ]
}
