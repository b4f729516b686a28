import {
  type Caller,
  type Event,
  History,
  Identifier,
  Instant,
  InvalidField,
  invalidField,
  Problem,
  type LoggedEvent,
  seenText,
  Webhook,
  type WebhookAttempt,
  Webhooks
} from "@countersign/core"
import { Clock, Effect, Redacted } from "effect"
import type { WebhookApi } from "./contract.ts"
import type { Handlers } from "../Handlers.ts"
import type { errors } from "./errors.ts"
import { page } from "../page.ts"

const pageSize = 50

const shown = (webhook: Webhook.Webhook, now: Instant.Instant) => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  description: webhook.description,
  status: webhook.status,
  disabledReason: webhook.disabledReason,
  failingSince: Instant.toIsoOrNull(webhook.failingSince),
  retiringAt: Instant.toIsoOrNull(Webhook.retiringAt(webhook, now)),
  createdAt: Instant.toIso(webhook.createdAt)
})

const shownNow = (webhook: Webhook.Webhook) => Effect.map(Clock.currentTimeMillis, (now) => shown(webhook, now))

const shownOnce = ({ secret, webhook }: Webhooks.WithSecret) =>
  Effect.map(shownNow(webhook), (endpoint) => ({ ...endpoint, secret: Redacted.value(secret) }))

const shownAttempt = (attempt: WebhookAttempt) => ({
  id: attempt.id,
  eventId: attempt.eventId,
  eventType: attempt.eventType,
  attempt: attempt.attempt,
  status: attempt.status,
  responseStatus: attempt.responseStatus,
  error: attempt.error,
  durationMs: attempt.durationMs,
  createdAt: Instant.toIso(attempt.createdAt),
  nextAttemptAt: Instant.toIsoOrNull(attempt.nextAttemptAt)
})

const requestIdOf = (event: Event | null) =>
  event !== null && "requestId" in event.data ? (event.data.requestId ?? null) : null

const shownEvent = ({ attempts, event, id, nextAttemptAt, state, type }: LoggedEvent) => ({
  id,
  type,
  createdAt: Instant.toIso(event?.createdAt ?? attempts[0]?.createdAt ?? 0),
  requestId: requestIdOf(event),
  state,
  nextAttemptAt: Instant.toIsoOrNull(nextAttemptAt),
  attempts: attempts.map(shownAttempt)
})

const shownCondition = ({ givenUp, health, last, more, pending, since }: Webhooks.Condition) => ({
  health,
  since: Instant.toIsoOrNull(since),
  lastResponseStatus: last?.responseStatus ?? null,
  lastError: last?.error ?? null,
  pending,
  givenUp,
  more
})

const shownWhole =
  (caller: Caller) =>
  ({ attempt, body }: { readonly attempt: WebhookAttempt; readonly body: string | null }) => ({
    ...shownAttempt(attempt),
    request: { url: attempt.url, body },
    // An endpoint's answer may repeat an identity.
    responseBody: attempt.responseBody === null ? null : seenText(caller, attempt.responseBody)
  })

const instantOf = (field: string, text: string) => {
  const instant = Instant.fromIso(text)
  return instant !== null ? Effect.succeed(instant) : Effect.fail(invalidField(field, Problem.of("TIME")))
}

interface Range {
  readonly since: string
  readonly until?: string | null
  readonly onlyMissing?: boolean | null
}

/** The range ends now by default. */
const rangeOf = Effect.fnUntraced(function* ({ onlyMissing, since, until }: Range) {
  return {
    since: yield* instantOf("since", since),
    until: until == null ? yield* Clock.currentTimeMillis : yield* instantOf("until", until),
    onlyMissing: onlyMissing ?? false
  }
})

/** Answers `/v1/dashboard/webhooks`. */
export const make = Effect.gen(function* () {
  const history = yield* History
  const webhooks = yield* Webhooks

  /** The events that a search means: one by its id, or those of a verification. */
  const eventIdsOf = Effect.fnUntraced(function* (caller: Caller, text: string) {
    const id = text.trim()
    if (Identifier.is("evt", id)) return [id]
    if (!Identifier.is("ver", id)) {
      const problem = "must be an event's id (evt_…) or a verification's requestId (ver_…)"
      return yield* new InvalidField({ field: "find", problem })
    }
    return yield* Effect.catchTag(history.eventIds(caller, id), "UnknownVerification", () => Effect.succeed([]))
  })

  const handlers: Handlers<typeof WebhookApi, typeof errors> = {
    list: Effect.fnUntraced(function* ({ caller }) {
      const found = yield* webhooks.list(caller)
      return { items: yield* Effect.forEach(found, shownNow), nextCursor: null }
    }),
    create: ({ caller, payload }) => Effect.flatMap(webhooks.create(caller, payload), shownOnce),
    get: ({ caller, params }) => Effect.flatMap(webhooks.get(caller, params.id), shownNow),
    update: ({ caller, params, payload }) => Effect.flatMap(webhooks.change(caller, params.id, payload), shownNow),
    delete: ({ caller, params }) => webhooks.remove(caller, params.id),
    rotateSecret: ({ caller, params, payload }) =>
      Effect.flatMap(webhooks.rotateSecret(caller, params.id, { endOthers: payload.endOthers ?? false }), shownOnce),
    test: ({ caller, params }) => Effect.map(webhooks.test(caller, params.id), shownWhole(caller)),
    deliveries: ({ caller, params, query }) => {
      const limit = query.limit ?? pageSize
      return Effect.map(
        webhooks.deliveries(caller, params.id, {
          status: query.status ?? null,
          after: query.cursor ?? null,
          limit: limit + 1
        }),
        (found) => page(found, limit, shownAttempt)
      )
    },
    delivery: ({ caller, params }) =>
      Effect.map(webhooks.delivery(caller, params.id, params.deliveryId), shownWhole(caller)),
    redeliver: ({ caller, params }) =>
      Effect.map(webhooks.redeliver(caller, params.id, params.deliveryId), shownWhole(caller)),
    events: Effect.fnUntraced(function* ({ caller, params, query }) {
      const { cursor = null, find, limit = pageSize, state = null, type = null } = query
      const eventIds = find === undefined ? null : yield* eventIdsOf(caller, find)
      const page = yield* webhooks.events(caller, params.id, { state, type, eventIds, after: cursor, limit })
      return { items: page.items.map(shownEvent), nextCursor: page.nextCursor }
    }),
    retry: ({ caller, params }) => webhooks.retry(caller, params.id, params.eventId),
    retryWaiting: ({ caller, params }) => webhooks.retryWaiting(caller, params.id),
    backlog: ({ caller, params }) => Effect.map(webhooks.condition(caller, params.id), shownCondition),
    replayable: Effect.fnUntraced(function* ({ caller, params, query }) {
      return yield* webhooks.replayable(caller, params.id, yield* rangeOf(query))
    }),
    replay: Effect.fnUntraced(function* ({ caller, params, payload }) {
      const range = yield* rangeOf(payload)
      yield* webhooks.replay(caller, params.id, range)
      return { since: Instant.toIso(range.since), until: Instant.toIso(range.until) }
    })
  }
  return handlers
})
