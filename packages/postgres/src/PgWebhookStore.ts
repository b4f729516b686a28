import { type AttemptStatus, Webhook, type WebhookAttempt } from "@countersign/core"
import { Conflict, type Job, WebhookStore } from "@countersign/core/storage"
import { Effect, type Scope } from "effect"
import * as Batcher from "./Batcher.ts"
import { lookup } from "./lookup.ts"
import { type EncodedOutgoing, encode } from "./outboxParts.ts"
import { outboxStatement } from "./outboxStatement.ts"
import { ifStorable, int, storable, text, texts, unstorable } from "./parameters.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { commitsOf, queriesOf } from "./storeQueries.ts"
import * as Table from "./table.ts"
import { removedRow, versionedRow } from "./versionedRow.ts"

const endpoint = Table.rows<Webhook.Webhook>()("webhook", ["environment", "id"], {
  environment: Table.text,
  id: Table.text,
  version: Table.int,
  url: Table.text,
  state: Table.whole(Webhook.encode, (state, { environment, id, url, version }) =>
    Webhook.decode(environment, id, url, version, state)
  )
})

export const list = `
select i.n::int, w.* from unnest($1::text[]) with ordinality as i(environment, n)
cross join lateral (
  select ${endpoint.select("webhook")} from webhook where environment = i.environment order by id offset 0
) w`

const get = `select ${endpoint.select("w")} from webhook w where environment = $1 and id = $2`

export const commit = versionedRow(endpoint)
export const remove = removedRow(endpoint, endpoint.key)

/** Invalid characters in a response are replaced, because the response is only for reading. */
const readable: Table.Column<string | null> = {
  ...Table.word,
  write: (answer) => answer?.toWellFormed().replaceAll("\u0000", "\ufffd") ?? null
}

const logged = Table.rows<WebhookAttempt>()("webhook_attempt", ["environment", "id"], {
  environment: Table.text,
  id: Table.text,
  webhookId: Table.text,
  eventId: Table.text,
  eventType: Table.word,
  attempt: Table.int,
  status: Table.word,
  url: Table.text,
  createdAt: Table.time,
  durationMs: Table.int,
  responseStatus: Table.nullable(Table.int),
  responseBody: readable,
  error: readable,
  nextAttemptAt: Table.nullable(Table.time)
})

/** The new run time of a job whose lease still holds. */
const again = Table.rows<NonNullable<WebhookStore.AttemptChange["again"]> & { readonly failures: number }>()(
  "job",
  [],
  {
    lease: Table.group<Job.Lease>({ key: Table.word, fence: Table.named("attempt", Table.int) }),
    runAt: Table.time,
    failures: Table.int
  }
)

/**
 * Appends to the log and reschedules jobs whose lease still holds. Attempts need no version, because each is a new row.
 */
export const record = outboxStatement({
  own: `ok as materialized (
  select n from generate_series(1, cardinality($1::text[])) as n
), logged as (
  insert into webhook_attempt (${logged.columns.join(", ")})
  select * from unnest(${logged.given(1)})
  on conflict (environment, id) do nothing
), held as materialized (
  select t.place, t.attempt, l.run_at, l.failures
  from ${Table.plain(again, logged.names.length + 1, "l")}
  cross join lateral (
    select ctid as place, attempt from job where key = l.key and attempt = l.attempt offset 0
  ) t
), again as (
  update job j set run_at = h.run_at, owner = null, failures = h.failures from held h
  where j.ctid = h.place and j.attempt = h.attempt and (j.dead_at is null) is true
)`,
  parameters: logged.names.length + again.names.length,
  answer: "1",
  repeatable: true
})

/** A separate statement text for each combination of filters, so that the cached plan fits every page. */
export const attempts = (status: AttemptStatus | null, after: boolean) => `
select ${logged.select("a")} from webhook_attempt a
where webhook_id = $2 and (environment = $1) is true${status === null ? "" : ` and status = '${status}'`}${after ? " and id < $4" : ""}
order by id desc limit $3`

export const attemptOf = `
select i.n::int, a.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select ${logged.select("webhook_attempt")} from webhook_attempt where environment = i.environment and id = i.id offset 0
) a`

export const attemptsOf = `
select a.* from unnest($2::text[]) as w(webhook_id) cross join unnest($3::text[]) as e(event_id)
cross join lateral (
  select ${logged.select("webhook_attempt")} from webhook_attempt
  where webhook_id = w.webhook_id and event_id = e.event_id and (environment = $1) is true offset 0
) a
limit 1000`

/**
 * One statement text for each combination of filters. The events come from an index in their order, and each brings its
 * own tries.
 */
export const triedEvents = (missed: boolean, after: boolean) => `
select a.* from (
  select distinct event_id from webhook_attempt
  where webhook_id = $2 and (environment = $1) is true${missed ? " and status <> 'DELIVERED'" : ""}${after ? " and event_id < $4" : ""}
  order by event_id desc limit $3
) e cross join lateral (
  select ${logged.select("webhook_attempt")} from webhook_attempt
  where webhook_id = $2 and event_id = e.event_id and (environment = $1) is true
  order by (status = 'DELIVERED') desc, id desc limit ${WebhookStore.mostTries}
) a`

export const attempted = `
select i.event_id from unnest($3::text[]) as i(event_id)
where exists (
  select 1 from webhook_attempt where webhook_id = $2 and event_id = i.event_id
    and (environment = $1 and ($4::text is null or status = $4)) is true
)`

/**
 * The rows of an attempt, encoded in the caller's own fiber, so that a value that cannot be stored harms no other
 * caller.
 */
interface Recorded {
  readonly environment: string
  readonly id: string
  readonly values: Table.Values
  readonly again: ReadonlyArray<Table.Values>
  readonly outgoing: EncodedOutgoing
}

const recordedOf = (change: WebhookStore.AttemptChange): Recorded => ({
  environment: change.attempt.environment,
  id: change.attempt.id,
  values: logged.encode(change.attempt),
  again: change.again === null ? [] : [again.encode({ ...change.again, failures: change.attempt.attempt })],
  outgoing: encode(change)
})

/** The tries of each event, oldest first, the newest event first. */
const byEvent = (attempts: ReadonlyArray<WebhookAttempt>): ReadonlyArray<ReadonlyArray<WebhookAttempt>> =>
  [...Map.groupBy(attempts, ({ eventId }) => eventId)]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([, tries]) => tries.sort((a, b) => (a.id < b.id ? -1 : 1)))

export const make: (outbox: PgOutbox) => Effect.Effect<WebhookStore["Service"], never, PgDatabase | Scope.Scope> =
  Effect.fnUntraced(function* (outbox) {
    const database = yield* PgDatabase
    const { row, rows } = queriesOf(database, "WebhookStore")
    const write = commitsOf(outbox, "WebhookStore")

    const lists = yield* Batcher.make<string, ReadonlyArray<Row>>({
      operation: "WebhookStore.list",
      keyOf: (environment) => environment,
      sameKey: "share",
      ownerOf: (environment) => environment,
      run: (environments) =>
        Effect.map(database.query(list, [texts(environments)]), (rows) => {
          const found = environments.map((): Array<Row> => [])
          for (const row of rows) found[(row[0] as number) - 1]!.push(row)
          return found
        })
    })

    const records = yield* Batcher.make<Recorded, true>({
      operation: "WebhookStore.record",
      keyOf: ({ id }) => id,
      sameKey: "wait",
      ownerOf: ({ environment }) => environment,
      run: (batch) =>
        Effect.as(
          outbox.run(
            record,
            [
              ...logged.parameters(batch.map(({ values }) => values)),
              ...again.parameters(batch.flatMap(({ again }) => again))
            ],
            batch.map(({ outgoing }) => outgoing)
          ),
          batch.map(() => true as const)
        )
    })

    return WebhookStore.of({
      list: (environment) =>
        storable(environment)
          ? Effect.map(lists.submit(environment), (rows) => rows.map((row) => endpoint.decode(row, 1)))
          : Effect.succeed([]),
      get: (environment, id) => row("get", get, () => [text(environment), text(id)], endpoint.decode),
      commit: (change) =>
        Effect.map(
          write("commit", change.webhook.id, commit, () => endpoint.sent(change.webhook), change),
          ([version]) => ({ ...change.webhook, version: version as number })
        ),
      remove: (change) => {
        const { environment, id, version } = change.webhook
        return [environment, id].every(storable)
          ? Effect.asVoid(write("remove", id, remove, () => [text(environment), text(id), int(version)], change))
          : Effect.fail(new Conflict({ key: id }))
      },
      record: (change) =>
        Effect.suspend(() => {
          const recorded = ifStorable(() => recordedOf(change))
          return recorded === null
            ? Effect.fail(unstorable("WebhookStore.record"))
            : Effect.map(records.submit(recorded), () => outbox.committed(change))
        }),
      attempts: ({ after, environment, limit, status, webhookId }) =>
        rows(
          "attempts",
          attempts(status, after !== null),
          () => [text(environment), text(webhookId), int(limit), ...(after === null ? [] : [text(after)])],
          logged.decode
        ),
      attempt: yield* lookup(database, "WebhookStore.attempt", attemptOf, (row) => logged.decode(row, 1)),
      attemptsOf: (environment, webhookIds, eventIds) =>
        webhookIds.length === 0 || eventIds.length === 0 || ![...webhookIds, ...eventIds].every(storable)
          ? Effect.succeed([])
          : Effect.map(
              rows(
                "attemptsOf",
                attemptsOf,
                () => [text(environment), texts(webhookIds), texts(eventIds)],
                logged.decode
              ),
              (found) => found.toSorted((a, b) => (a.id < b.id ? -1 : 1))
            ),
      triedEvents: ({ after, environment, limit, missed, webhookId }) =>
        Effect.map(
          rows(
            "triedEvents",
            triedEvents(missed, after !== null),
            () => [text(environment), text(webhookId), int(limit), ...(after === null ? [] : [text(after)])],
            logged.decode
          ),
          byEvent
        ),
      attempted: (environment, webhookId, eventIds, status) =>
        Effect.map(
          rows(
            "attempted",
            attempted,
            () => [text(environment), text(webhookId), texts(eventIds.filter(storable)), text(status)],
            ([id]) => id as string
          ),
          (ids) => new Set(ids)
        )
    })
  })
