import { type AttemptStatus, type EventType, Webhook, type WebhookAttempt } from "@countersign/core"
import { type AttemptChange, Conflict, StoreError, WebhookStore } from "@countersign/core/storage"
import { Effect, type Scope } from "effect"
import * as Batcher from "./Batcher.ts"
import { lookup } from "./lookup.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import { instants, int, ints, storable, text, texts } from "./parameters.ts"
import { type EncodedOutgoing, encode } from "./outboxParts.ts"
import { outboxStatement } from "./outboxStatement.ts"
import type { PgOutbox } from "./PgOutbox.ts"

const columns = "environment, id, version, url, state"

export const list = `
select i.n::int, w.id, w.version, w.url, w.state
from unnest($1::text[]) with ordinality as i(environment, n)
cross join lateral (select id, version, url, state from webhook where environment = i.environment order by id offset 0) w`

const get = `select ${columns} from webhook where environment = $1 and id = $2`

/** A new endpoint is inserted, a known one updated at the version it was read. */
export const commit = outboxStatement({
  own: `known as (
  update webhook set version = $3 + 1, url = $4, state = $5
  where environment = $1 and id = $2 and version = $3 and $3 > 0
  returning version
), fresh as (
  insert into webhook (environment, id, version, url, state) select $1, $2, 1, $4, $5 where $3 = 0
  returning version
), ok as materialized (
  select 1 as n, version from known union all select 1, version from fresh
)`,
  parameters: 5,
  answer: "version"
})

export const remove = outboxStatement({
  own: `gone as (
  delete from webhook where environment = $1 and id = $2 and version = $3 returning 1
), ok as materialized (
  select 1 as n from gone
)`,
  parameters: 3,
  answer: "n"
})

const attemptColumns =
  "environment, id, webhook_id, event_id, event_type, attempt, status, url, created_at, duration_ms, response_status, response_body, error, next_attempt_at"

/** The log, and the jobs that run again, where the lease still holds. No version guards a try: each is one of its own. */
export const record = outboxStatement({
  own: `ok as materialized (
  select n from generate_series(1, cardinality($1::text[])) as n
), logged as (
  insert into webhook_attempt (${attemptColumns})
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[], $8::text[],
    $9::timestamptz[], $10::int[], $11::int[], $12::text[], $13::text[], $14::timestamptz[])
  on conflict (environment, id) do nothing
), held as materialized (
  select t.place, t.attempt, l.run_at, l.failures
  from unnest($15::text[], $16::int[], $17::timestamptz[], $18::int[]) as l(key, attempt, run_at, failures)
  cross join lateral (
    select ctid as place, attempt from job where key = l.key and attempt = l.attempt offset 0
  ) t
), again as (
  update job j set run_at = h.run_at, owner = null, failures = h.failures from held h
  where j.ctid = h.place and j.attempt = h.attempt and (j.dead_at is null) is true
)`,
  parameters: 18,
  answer: "1",
  repeatable: true
})

/** One text for each shape of the question: only so is the plan the right one for every page. */
export const attempts = (status: AttemptStatus | null, after: boolean) => `
select ${attemptColumns} from webhook_attempt
where webhook_id = $2 and (environment = $1) is true${status === null ? "" : ` and status = '${status}'`}${after ? " and id < $4" : ""}
order by id desc limit $3`

export const attemptOf = `
select i.n::int, a.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select ${attemptColumns} from webhook_attempt where environment = i.environment and id = i.id offset 0
) a`

export const attemptsOf = `
select a.* from unnest($2::text[]) as w(webhook_id) cross join unnest($3::text[]) as e(event_id)
cross join lateral (
  select ${attemptColumns} from webhook_attempt
  where webhook_id = w.webhook_id and event_id = e.event_id and (environment = $1) is true offset 0
) a
limit 1000`

export const attempted = `
select i.event_id from unnest($3::text[]) as i(event_id)
where exists (
  select 1 from webhook_attempt where webhook_id = $2 and event_id = i.event_id
    and (environment = $1 and ($4::text is null or status = $4)) is true
)`

const decode = ([environment, id, version, url, state]: Row) =>
  Webhook.decode(environment as string, id as string, url as string, version as number, state as string)

const decodeAttempt = (row: Row): WebhookAttempt => ({
  environment: row[0] as string,
  id: row[1] as string,
  webhookId: row[2] as string,
  eventId: row[3] as string,
  eventType: row[4] as EventType,
  attempt: row[5] as number,
  status: row[6] as AttemptStatus,
  url: row[7] as string,
  createdAt: (row[8] as Date).getTime(),
  durationMs: row[9] as number,
  responseStatus: row[10] as number | null,
  responseBody: row[11] as string | null,
  error: row[12] as string | null,
  nextAttemptAt: row[13] === null ? null : (row[13] as Date).getTime()
})

/** What a receiver answered is for reading: better with a replacement in it than not kept. */
const readable = (given: string | null) => given?.toWellFormed().replaceAll("\u0000", "\ufffd") ?? null

const refuse = (operation: string) =>
  new StoreError({
    operation: `WebhookStore.${operation}`,
    cause: new Error("a key is not text that Postgres can keep")
  })

const failed = (operation: string) =>
  Effect.mapError((failure: PgFailure) => failure.toStoreError(`WebhookStore.${operation}`))

export const make: (outbox: PgOutbox) => Effect.Effect<WebhookStore["Service"], never, PgDatabase | Scope.Scope> =
  Effect.fnUntraced(function* (outbox) {
    const database = yield* PgDatabase

    const lists = yield* Batcher.make<string, ReadonlyArray<Row>>({
      operation: "WebhookStore.list",
      keyOf: (environment) => environment,
      sameKey: "share",
      run: (environments) =>
        Effect.map(database.query(list, [texts(environments)]), (rows) => {
          const found = environments.map((): Array<Row> => [])
          for (const row of rows) found[(row[0] as number) - 1]!.push(row)
          return found
        })
    })

    const records = yield* Batcher.make<{ readonly change: AttemptChange; readonly outgoing: EncodedOutgoing }, true>({
      operation: "WebhookStore.record",
      keyOf: ({ change }) => change.attempt.id,
      sameKey: "wait",
      ownerOf: ({ change }) => change.attempt.environment,
      run: (batch) => {
        const made = batch.map(({ change }) => change.attempt)
        const jobs = batch.flatMap(({ change: { again, attempt } }) =>
          again === null ? [] : [{ ...again, failures: attempt.attempt }]
        )
        const own = [
          texts(made.map(({ environment }) => environment)),
          texts(made.map(({ id }) => id)),
          texts(made.map(({ webhookId }) => webhookId)),
          texts(made.map(({ eventId }) => eventId)),
          texts(made.map(({ eventType }) => eventType)),
          ints(made.map(({ attempt }) => attempt)),
          texts(made.map(({ status }) => status)),
          texts(made.map(({ url }) => url)),
          instants(made.map(({ createdAt }) => createdAt)),
          ints(made.map(({ durationMs }) => durationMs)),
          ints(made.map(({ responseStatus }) => responseStatus)),
          texts(made.map(({ responseBody }) => readable(responseBody))),
          texts(made.map(({ error }) => readable(error))),
          instants(made.map(({ nextAttemptAt }) => nextAttemptAt)),
          texts(jobs.map(({ lease }) => lease.key)),
          ints(jobs.map(({ lease }) => lease.fence)),
          instants(jobs.map(({ runAt }) => runAt)),
          ints(jobs.map(({ failures }) => failures))
        ]
        return Effect.as(
          outbox.run(
            record,
            own,
            batch.map(({ outgoing }) => outgoing)
          ),
          batch.map(() => true as const)
        )
      }
    })

    const single = yield* lookup(database, "WebhookStore.attempt", attemptOf)

    return WebhookStore.of({
      list: (environment) =>
        storable(environment)
          ? Effect.map(lists.submit(environment), (rows) =>
              rows.map(([, id, version, url, state]) => decode([environment, id, version, url, state]))
            )
          : Effect.succeed([]),
      get: (environment, id) =>
        storable(environment) && storable(id)
          ? Effect.map(database.query(get, [text(environment), text(id)]), ([row]) =>
              row === undefined ? null : decode(row)
            ).pipe(failed("get"))
          : Effect.succeed(null),
      commit: (change) =>
        Effect.suspend(() => {
          const { webhook } = change
          const { environment, id, url, version } = webhook
          if (![environment, id, url].every(storable)) return Effect.fail(refuse("commit"))
          const own = [text(environment), text(id), int(version), text(url), text(Webhook.encode(webhook))]
          return outbox.run(commit, own, [encode(change)]).pipe(
            Effect.mapError((failure) =>
              failure.sqlState === "23505" ? new Conflict({ key: id }) : failure.toStoreError("WebhookStore.commit")
            ),
            Effect.flatMap(([row]) => {
              if (row === undefined) return Effect.fail(new Conflict({ key: id }))
              outbox.committed(change)
              return Effect.succeed({ ...webhook, version: row[0] as number })
            })
          )
        }),
      remove: (change) =>
        Effect.suspend(() => {
          const { environment, id, version } = change.webhook
          if (!storable(environment) || !storable(id)) return Effect.fail(new Conflict({ key: id }))
          return outbox.run(remove, [text(environment), text(id), int(version)], [encode(change)]).pipe(
            failed("remove"),
            Effect.flatMap(([row]) => {
              if (row === undefined) return Effect.fail(new Conflict({ key: id }))
              outbox.committed(change)
              return Effect.void
            })
          )
        }),
      record: (change) =>
        Effect.suspend(() => {
          const { environment, eventId, id, url, webhookId } = change.attempt
          return [environment, id, webhookId, eventId, url].every(storable)
            ? Effect.map(records.submit({ change, outgoing: encode(change) }), () => outbox.committed(change))
            : Effect.fail(refuse("record"))
        }),
      attempts: ({ after, environment, limit, status, webhookId }) =>
        [environment, webhookId, after ?? ""].every(storable)
          ? Effect.map(
              database.query(attempts(status, after !== null), [
                text(environment),
                text(webhookId),
                int(limit),
                ...(after === null ? [] : [text(after)])
              ]),
              (rows) => rows.map(decodeAttempt)
            ).pipe(failed("attempts"))
          : Effect.succeed([]),
      attempt: (environment, id) =>
        Effect.map(single(environment, id), (row) => (row === null ? null : decodeAttempt(row.slice(1)))),
      attemptsOf: Effect.fnUntraced(function* (environment, webhookIds, eventIds) {
        if (webhookIds.length === 0 || eventIds.length === 0) return []
        if (![environment, ...webhookIds, ...eventIds].every(storable)) return []
        const rows = yield* database.query(attemptsOf, [text(environment), texts(webhookIds), texts(eventIds)])
        return rows.map(decodeAttempt).sort((a, b) => (a.id < b.id ? -1 : 1))
      }, failed("attemptsOf")),
      attempted: (environment, webhookId, eventIds, status) =>
        [environment, webhookId].every(storable)
          ? Effect.map(
              database.query(attempted, [
                text(environment),
                text(webhookId),
                texts(eventIds.filter(storable)),
                text(status)
              ]),
              (rows) => new Set(rows.map(([id]) => id as string))
            ).pipe(failed("attempted"))
          : Effect.succeed(new Set<string>())
    })
  })
