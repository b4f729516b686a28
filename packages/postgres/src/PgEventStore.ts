import { type Event, type EventPage, EventStore, EventType, type Job } from "@countersign/core"
import { Effect } from "effect"
import * as Batcher from "./Batcher.ts"
import { lookup } from "./lookup.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import { int, storable, text } from "./parameters.ts"
import { jobChannel, type PgWakeUps } from "./PgWakeUps.ts"
import { eventParameters, jobParameters } from "./recordParameters.ts"

/**
 * One text for each shape of the question, with the type in it as it is in the index's condition: only so is the plan
 * the right one for every page.
 */
const statement = (type: EventType | null, after: boolean) => `
select id, type, created_at, data from event
where environment = $1${type === null ? "" : ` and type = '${type}'`}${after ? " and id < $3" : ""}
order by id desc limit $2`

const statements = new Map(
  [null, ...EventType.literals].map((type) => [type, { first: statement(type, false), next: statement(type, true) }])
)

export const get = `
select i.n::int, e.id, e.type, e.created_at, e.data
from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select id, type, created_at, data from event where environment = i.environment and id = i.id offset 0
) e`

/** Both tables know a row that is there already: a statement whose answer was lost is simply run again. */
const append = (answer: string) => `
with recorded as (
  insert into event (environment, id, type, created_at, data)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[])
  on conflict (environment, id) do nothing
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select * from unnest($6::text[], $7::text[], $8::text[], $9::text[], $10::timestamptz[], $11::int[], $12::text[], $13::text[])
  order by 1
  on conflict (key) do nothing
)
select ${answer}`

const quiet = append("1")
const waking = append(`pg_notify('${jobChannel}', '')`)

/** What is recorded together, as rows of text. */
interface Record {
  readonly key: string
  readonly events: ReadonlyArray<{ readonly event: Event; readonly data: string }>
  readonly jobs: ReadonlyArray<{ readonly job: Job.NewJob; readonly payload: string }>
}

const decode = (environment: string, [id, type, createdAt, data]: Row): Event =>
  ({ id, environment, type, createdAt: (createdAt as Date).getTime(), data: JSON.parse(data as string) }) as Event

export const make = Effect.fnUntraced(function* (wakeUps: PgWakeUps) {
  const database = yield* PgDatabase

  const list = Effect.fnUntraced(
    function* ({ after, environment, limit, type }: EventPage) {
      const shape = statements.get(type)
      if (shape === undefined || !storable(environment) || !storable(after ?? "")) return []
      const rows =
        after === null
          ? yield* database.query(shape.first, [text(environment), int(limit)])
          : yield* database.query(shape.next, [text(environment), int(limit), text(after)])
      return rows.map((row) => decode(environment, row))
    },
    Effect.mapError((failure) => failure.toStoreError("EventStore.list"))
  )

  const appends = yield* Batcher.make<Record, true>({
    operation: "EventStore.append",
    keyOf: ({ key }) => key,
    sameKey: "wait",
    run: (batch) => {
      const jobs = batch.flatMap((one) => one.jobs)
      const wakes = wakeUps.concernsOthers(jobs.map(({ job }) => job))
      return Effect.as(
        database.query(wakes ? waking : quiet, [
          ...eventParameters(batch.flatMap(({ events }) => events)),
          ...jobParameters(jobs)
        ]),
        batch.map(() => true as const)
      )
    }
  })

  const gets = yield* lookup(database, "EventStore.get", get)

  return EventStore.of({
    list,
    get: (environment, id) =>
      Effect.map(gets(environment, id), (row) => (row === null ? null : decode(environment, row.slice(1)))),
    append: (events, jobs) =>
      Effect.suspend(() => {
        const key = events[0]?.id ?? jobs[0]?.key
        if (key === undefined) return Effect.void
        const record: Record = {
          key,
          events: events.map((event) => ({ event, data: JSON.stringify(event.data) })),
          jobs: jobs.map((job) => ({ job, payload: JSON.stringify(job.payload) }))
        }
        return Effect.map(appends.submit(record), () => wakeUps.added(jobs))
      })
  })
})
