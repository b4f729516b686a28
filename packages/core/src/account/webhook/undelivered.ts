import { Clock, Effect } from "effect"
import type { JobStore } from "../../foundation/outbox/JobStore.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { type Backlog, endpointHealth, type EndpointHealth } from "./endpointHealth.ts"
import { isExpected } from "./eventLog.ts"
import type { Webhook } from "./Webhook.ts"
import type { WebhookAttempt } from "./WebhookAttempt.ts"
import { webhookGate } from "./webhookJobs.ts"
import type { WebhookStore } from "./WebhookStore.ts"

/** A backlog with the condition of the endpoint, and its last try. */
export interface Condition extends Backlog, EndpointHealth {
  readonly last: WebhookAttempt | null
}

/** How many failed tries a backlog is counted over, and how many last tries. */
const mostTries = 200
/** The most waiting deliveries that are counted, where the tries do not show all of them. */
const mostInLane = 10_000

/** Finds the events that an endpoint has not received. */
export const makeUndelivered = (store: WebhookStore["Service"], jobs: JobStore["Service"]) => {
  /** The events that an endpoint has not received, by its latest failed tries. */
  const undelivered = Effect.fnUntraced(function* ({ environment, id: webhookId }: Webhook) {
    const page = { environment, webhookId, after: null, limit: mostTries } as const
    const failed = yield* store.attempts({ ...page, status: "FAILED" })
    const dead = yield* store.attempts({ ...page, status: "DEAD" })
    const now = yield* Clock.currentTimeMillis
    const retried = failed.filter((attempt) => isExpected(attempt, now))
    // Ids are in order of time, so the map keeps the latest try of each event.
    const tries = [...retried, ...dead].toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const latest = new Map(tries.map(({ eventId, status }) => [eventId, status]))
    const eventIds = [...latest.keys()]
    const delivered =
      eventIds.length === 0 ? new Set<string>() : yield* store.attempted(environment, webhookId, eventIds, "DELIVERED")
    const missing = eventIds.filter((event) => !delivered.has(event))
    const pending = missing.filter((event) => latest.get(event) === "FAILED")
    const waits = new Set(pending)
    return {
      pending,
      /** The first failure of the waiting events; null when none waits. */
      pendingSince: failed.findLast(({ eventId }) => waits.has(eventId))?.createdAt ?? null,
      givenUp: missing.filter((event) => latest.get(event) === "DEAD"),
      hasAllFailed: failed.length < mostTries,
      hasAllDead: dead.length < mostTries
    }
  })

  const backlog = Effect.fnUntraced(function* (webhook: Webhook): Effect.fn.Return<Backlog, StoreError> {
    const { environment, id } = webhook
    const { givenUp, hasAllDead, hasAllFailed, pending, pendingSince } = yield* undelivered(webhook)
    if (hasAllFailed) return { pending: pending.length, givenUp: givenUp.length, more: !hasAllDead, pendingSince }
    // The tries show only a part. The deliveries of the endpoint that are not finished are the events that wait.
    const lane = { gate: webhookGate, environment, lane: id, most: mostInLane }
    const unfinished = webhook.status === "ACTIVE" ? yield* jobs.inLane(lane) : 0
    return {
      pending: Math.max(pending.length, unfinished),
      givenUp: givenUp.length,
      more: !hasAllDead || unfinished >= mostInLane,
      pendingSince: webhook.failingSince ?? pendingSince
    }
  })

  const condition = Effect.fnUntraced(function* (webhook: Webhook): Effect.fn.Return<Condition, StoreError> {
    const { environment, id: webhookId } = webhook
    const counted = yield* backlog(webhook)
    const [last = null] = yield* store.attempts({ environment, webhookId, status: null, after: null, limit: 1 })
    return { ...counted, ...endpointHealth(webhook, counted, last), last }
  })

  return { condition, undelivered }
}
