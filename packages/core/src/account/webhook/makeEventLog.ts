import { Clock, Effect } from "effect"
import type { Event, EventType } from "../../foundation/event/Event.ts"
import type { EventStore } from "../../foundation/event/EventStore.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import type { JobStore } from "../../foundation/outbox/JobStore.ts"
import type { Outbox } from "../../foundation/outbox/Outbox.ts"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import { doneBefore } from "../audit/doneBefore.ts"
import type { Caller } from "../merchant/Caller.ts"
import { type EventState, triedEvent, type TriedEvent } from "./eventLog.ts"
import type { Webhook } from "./Webhook.ts"
import type { WebhookAttempt } from "./WebhookAttempt.ts"
import { auditActionOf } from "./webhookAudit.ts"
import { longerThanAnyTry, type WebhookDeliveries } from "./WebhookDeliveries.ts"
import { UnknownWebhookDelivery } from "./WebhookError.ts"
import { deliveryJob, deliveryKey } from "./webhookJobs.ts"
import type { WebhookStore } from "./WebhookStore.ts"

export interface EventLogQuery {
  readonly state: EventState | null
  readonly type: EventType | null
  /** Only these events; null for all. */
  readonly eventIds: ReadonlyArray<string> | null
  /** Continue after the event with this id. */
  readonly after: string | null
  readonly limit: number
}

/** An event of the log. `event` is null once its data has expired. */
export interface LoggedEvent extends TriedEvent {
  readonly event: Event | null
}

export interface EventLogPage {
  /** Newest event first. */
  readonly items: ReadonlyArray<LoggedEvent>
  /** Where to continue. A page with a filter may hold fewer events than its limit, even none, and still have one. */
  readonly nextCursor: string | null
}

/** How many events were sent or brought forward. */
export interface Retried {
  readonly events: number
}

/** How many events a statement reads, and how many statements a page may take. */
const eventsAtOnce = 200
const mostSteps = 10

const triedIn = (tries: ReadonlyArray<ReadonlyArray<WebhookAttempt>>, now: Instant): ReadonlyArray<TriedEvent> =>
  tries.flatMap((attempts) => triedEvent(attempts, now) ?? [])

/** Lists what an endpoint was sent, event by event, and sends missing events now. */
export const makeEventLog = ({
  audit,
  deliveries,
  events,
  jobs,
  outbox,
  store
}: {
  readonly audit: AuditStore["Service"]
  readonly deliveries: WebhookDeliveries["Service"]
  readonly events: EventStore["Service"]
  readonly jobs: JobStore["Service"]
  readonly outbox: Outbox["Service"]
  readonly store: WebhookStore["Service"]
}) => {
  const withEvent = (environment: string) => (tried: TriedEvent) =>
    Effect.map(events.get(environment, tried.id), (event): LoggedEvent => ({ ...tried, event }))

  const matching =
    ({ state, type }: Pick<EventLogQuery, "state" | "type">) =>
    (tried: TriedEvent) =>
      (state === null || tried.state === state) && (type === null || tried.type === type)

  /** These events as they were tried at one endpoint, newest event first. */
  const triedAmong = Effect.fnUntraced(function* ({ environment, id }: Webhook, eventIds: ReadonlyArray<string>) {
    const attempts = yield* store.attemptsOf(environment, [id], eventIds)
    const now = yield* Clock.currentTimeMillis
    return triedIn([...Map.groupBy(attempts, ({ eventId }) => eventId).values()], now).toSorted((a, b) =>
      a.id < b.id ? 1 : -1
    )
  })

  const list = Effect.fnUntraced(function* (
    webhook: Webhook,
    query: EventLogQuery
  ): Effect.fn.Return<EventLogPage, StoreError> {
    const { environment, id: webhookId } = webhook
    const { limit, state } = query
    const now = yield* Clock.currentTimeMillis
    const isWanted = matching(query)
    const toItems = (found: ReadonlyArray<TriedEvent>) =>
      Effect.forEach(found, withEvent(environment), { concurrency: "unbounded" })
    if (query.eventIds !== null) {
      const tried = yield* triedAmong(webhook, query.eventIds)
      return { items: yield* toItems(tried.filter(isWanted)), nextCursor: null }
    }
    const isFiltered = state !== null || query.type !== null
    const found: Array<TriedEvent> = []
    let { after } = query
    for (let step = 0; step < mostSteps && found.length <= limit; step++) {
      const atOnce = isFiltered ? eventsAtOnce : limit + 1
      const missed = state === "WAITING" || state === "FAILED"
      const page = yield* store.triedEvents({ environment, webhookId, missed, after, limit: atOnce })
      const tried = triedIn(page, now)
      found.push(...tried.filter(isWanted))
      after = tried.at(-1)?.id ?? null
      if (page.length < atOnce) {
        after = null
        break
      }
    }
    const shown = found.slice(0, limit)
    return {
      items: yield* toItems(shown),
      nextCursor: found.length > limit ? (shown.at(-1)?.id ?? null) : after
    }
  })

  const requireActive = ({ status }: Webhook) =>
    status === "ACTIVE" ? Effect.void : Effect.fail(invalidField("status", Problem.of("ENDPOINT_DISABLED")))

  /** Records a retry in the history, once for each request, and then sends. */
  const recorded = Effect.fnUntraced(function* (
    caller: Caller,
    webhook: Webhook,
    fields: Readonly<Record<string, unknown>>,
    send: Effect.Effect<number, StoreError>
  ) {
    const entry = auditEntry(
      caller,
      { ...auditActionOf("webhook.retried", webhook), to: fields },
      yield* Clock.currentTimeMillis
    )
    if ((yield* doneBefore(audit, caller.merchantId)) === null) {
      yield* outbox.append({ audited: yield* RequestKey.marked([entry]) })
    }
    return { events: yield* send }
  })

  /** Adds a delivery unless one exists, which is running or waits and is brought forward. */
  const sendMissing = Effect.fnUntraced(function* (webhook: Webhook, eventId: string) {
    const now = yield* Clock.currentTimeMillis
    const { found } = yield* jobs.hastenKey(deliveryKey(webhook, eventId), {
      later: now + longerThanAnyTry,
      runAt: now
    })
    if (found === 0) yield* outbox.addMissing({ jobs: [deliveryJob(webhook, { id: eventId }, now)], done: null })
    return 1
  })

  const retry = Effect.fnUntraced(function* (caller: Caller, webhook: Webhook, eventId: string) {
    yield* requireActive(webhook)
    const [tried] = Identifier.is("evt", eventId) ? yield* triedAmong(webhook, [eventId]) : []
    const event = tried === undefined ? null : yield* events.get(caller.environment, eventId)
    if (tried === undefined || event === null) return yield* new UnknownWebhookDelivery()
    if (tried.state === "DELIVERED") return { events: 0 }
    return yield* recorded(caller, webhook, { eventId }, sendMissing(webhook, eventId))
  })

  const retryWaiting = Effect.fnUntraced(function* (caller: Caller, webhook: Webhook) {
    yield* requireActive(webhook)
    return yield* recorded(caller, webhook, { all: true }, deliveries.hasten(webhook))
  })

  return { list, retry, retryWaiting }
}
