import { Clock, Context, Effect, Layer } from "effect"
import { carries } from "../../foundation/delivery/carries.ts"
import { Channels } from "../../foundation/delivery/Channels.ts"
import type { VerificationDelivery } from "../../auth/verification/VerificationDelivery.ts"
import { EventStore } from "../../foundation/event/EventStore.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import type { Limits } from "../../foundation/limit/Limits.ts"
import type { RateLimited } from "../../foundation/limit/RateLimited.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import * as PersonReference from "../../foundation/secret/PersonReference.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { TextReference } from "../../message/template/StoredTemplate.ts"
import { TemplateCatalogue } from "../../message/template/TemplateCatalogue.ts"
import { type Outcome, outcomeOf } from "../../auth/verification/outcome.ts"
import { lockOn } from "../../auth/verification/Unlocks.ts"
import { type TimelineItem, timelineOf } from "../../auth/verification/timeline.ts"
import { kindOf, shownAt, type Verification } from "../../auth/verification/Verification.ts"
import { UnknownVerification } from "../../auth/verification/VerificationError.ts"
import { matches } from "../../auth/verification/VerificationSearch.ts"
import { VerificationStore } from "../../auth/verification/VerificationStore.ts"
import { type Words, wordsOf } from "../../auth/verification/wordsOf.ts"
import { WebhookStore } from "../../account/webhook/WebhookStore.ts"
import { makeLookUp } from "../../account/merchant/makeLookUp.ts"
import type { Event } from "../../foundation/event/Event.ts"
import { type Instant, toIsoOrNull } from "../../foundation/time/Instant.ts"
import type { WebhookAttempt } from "../../account/webhook/WebhookAttempt.ts"
import { type CheckedSearch, checkSearch, type SearchRequest } from "./checkSearch.ts"
import { makeFindEvents } from "./findEvents.ts"
import { searched } from "./searched.ts"

type Item = Omit<TimelineItem, "sinceStartMs">

const eventItem = ({ createdAt, id, type }: Event): Item => ({
  at: createdAt,
  kind: "EVENT",
  reason: `${type} was recorded for the event list and for webhooks`,
  data: { eventId: id, type }
})

const webhookItem = ({
  attempt,
  createdAt,
  durationMs,
  error,
  eventId,
  eventType,
  id,
  nextAttemptAt,
  responseStatus,
  status,
  webhookId
}: WebhookAttempt): Item => {
  const answered = responseStatus === null ? `no answer: ${error ?? "unknown reason"}` : `answered ${responseStatus}`
  const next = toIsoOrNull(nextAttemptAt)
  const then = status === "DELIVERED" ? "" : next === null ? "; not retried" : `; retry at ${next.slice(11, 19)}`
  return {
    at: createdAt,
    kind: "WEBHOOK_TRIED",
    reason: `${eventType}, try ${attempt}: ${answered} in ${durationMs} ms${then}`,
    data: { webhookId, deliveryId: id, eventId, attempt, status, responseStatus, durationMs, nextAttemptAt: next }
  }
}

/**
 * Searches verifications, and reads their timelines.
 *
 * @example
 * ```ts
 * import { type Caller, History } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const lastFailure = Effect.fn(function* (caller: Caller, identity: string) {
 *   const history = yield* History
 *   const { items } = yield* history.search(caller, { identity, status: "FAILED", limit: 1 })
 *   return items[0] === undefined ? [] : yield* history.timeline(caller, items[0].id)
 * })
 * ```
 */
export class History extends Context.Service<
  History,
  {
    /**
     * Newest first. A page reads at most 5,000 verifications and stops when storage gets slow. So it may hold fewer
     * than `limit`, even none, and still have a `nextCursor`.
     */
    readonly search: (
      caller: Caller,
      request: SearchRequest
    ) => Effect.Effect<
      { readonly items: ReadonlyArray<Verification>; readonly nextCursor: string | null },
      InvalidField | RateLimited | Contended | StoreError
    >
    /** A verification. Its status is EXPIRED as soon as its time is over. */
    readonly get: (caller: Caller, requestId: string) => Effect.Effect<Verification, UnknownVerification | StoreError>
    /**
     * What happened to a verification of `search`, `get` or `Live`, why, and the next step. Null while it is pending,
     * and when it is verified. Reads nothing, so it does not know whether the person is locked out: see `explain`.
     */
    readonly outcomeOf: (caller: Caller, verification: Verification) => Outcome | null
    /** `outcomeOf` with the person's lock. Reads the person of a verification that did not succeed. */
    readonly explain: (caller: Caller, verification: Verification) => Effect.Effect<Outcome | null, StoreError>
    /** Its timeline in order, each step with its reason. */
    readonly timeline: (
      caller: Caller,
      requestId: string
    ) => Effect.Effect<ReadonlyArray<TimelineItem>, UnknownVerification | StoreError>
    /** The ids of its events, oldest first. */
    readonly eventIds: (
      caller: Caller,
      requestId: string
    ) => Effect.Effect<ReadonlyArray<string>, UnknownVerification | StoreError>
    /** The text of each of its messages, with dots for the code or link, rendered with the current settings. */
    readonly messages: (
      caller: Caller,
      requestId: string
    ) => Effect.Effect<ReadonlyArray<History.Message>, UnknownVerification | StoreError>
    /** The unmasked identity. The access is recorded in the history before the result is returned. */
    readonly unmask: (caller: Caller, requestId: string) => Effect.Effect<string, UnknownVerification | StoreError>
  }
>()("@countersign/core/search/History") {
  static readonly layerNoDeps: Layer.Layer<
    History,
    never,
    VerificationStore | EventStore | WebhookStore | Channels | Keyring | Limits | Outbox | TemplateCatalogue
  > = Layer.effect(
    History,
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const webhooks = yield* WebhookStore
      const channels = yield* Channels
      const keyring = yield* Keyring
      const lookUp = yield* makeLookUp
      const outbox = yield* Outbox
      const templates = yield* TemplateCatalogue
      const findEvents = makeFindEvents(yield* EventStore)

      const findVerification = Effect.fnUntraced(function* ({ environment }: Caller, requestId: string) {
        const verification = Identifier.is("ver", requestId) ? yield* store.find(environment, requestId) : null
        return verification ?? (yield* new UnknownVerification())
      })

      /** The verification of a backend's reference, even when a resend has replaced the reference since. */
      const byOldReference = Effect.fnUntraced(function* (environment: string, orderId: string) {
        const id = yield* store.findIdByOrder(environment, orderId)
        return id === null ? null : yield* store.find(environment, id)
      })

      const search = Effect.fnUntraced(function* (caller: Caller, request: SearchRequest) {
        const openPerson = (reference: string) => PersonReference.open(keyring, caller.environment, reference)
        const page = yield* Effect.fromResult(checkSearch(request, caller.settings.defaultCountry, openPerson))
        const ask = searchPage(caller, page)
        return yield* request.identity === undefined
          ? ask
          : lookUp(caller, "RECORDS", ask, ({ items }) => items.length > 0)
      })

      const searchPage = Effect.fnUntraced(function* (caller: Caller, page: CheckedSearch) {
        const { environment } = caller
        const now = yield* Clock.currentTimeMillis
        const { outcomeCodes, ...storedPage } = page
        const hasOutcome = (candidate: Verification) => {
          if (outcomeCodes === null) return true
          const outcome = outcomeWith(caller, shownAt(candidate, now), null)
          return outcome !== null && outcomeCodes.includes(outcome.code)
        }
        const { after, found: firstPage } = yield* searched(store, { ...storedPage, environment, now }, hasOutcome)
        const { orderId, ...otherFilters } = page.filter
        const byReference = orderId === undefined ? null : yield* byOldReference(environment, orderId)
        const isInPage = (candidate: Verification) =>
          candidate.id < page.before && candidate.id >= page.since && (after === null || candidate.id > after)
        const isMissing =
          byReference !== null &&
          byReference.orderId !== orderId &&
          isInPage(byReference) &&
          matches(otherFilters, byReference, now) &&
          hasOutcome(byReference)
        const matching = isMissing ? [...firstPage, byReference].sort((a, b) => (a.id < b.id ? 1 : -1)) : firstPage
        const items = matching.slice(0, page.limit)
        return {
          items: items.map((item) => shownAt(item, now)),
          nextCursor: matching.length > items.length ? (items.at(-1)?.id ?? null) : after
        }
      })

      const channelsOf = ({ kind }: Caller) => (kind === "test" ? channels.sandbox : channels)
      const reportsOf = (caller: Caller) => (delivery: VerificationDelivery) =>
        channelsOf(caller).find(delivery.channel)?.supports.receipts ?? true

      const canAddFallback = (caller: Caller, { channel, identity, mode }: Verification) => {
        const { find, names } = channelsOf(caller)
        return (
          caller.settings.fallbackChannel === null &&
          names.some((name) => {
            const other = name === channel ? undefined : find(name)
            return other !== undefined && carries(other, identity.type, kindOf[mode])
          })
        )
      }

      const outcomeWith = (caller: Caller, verification: Verification, lockedUntil: Instant | null) =>
        outcomeOf(verification, {
          reports: reportsOf(caller),
          canAddFallback: canAddFallback(caller, verification),
          lockedUntil
        })

      const explain = Effect.fnUntraced(function* (caller: Caller, verification: Verification) {
        const outcome = outcomeWith(caller, verification, null)
        if (outcome === null) return null
        const subject = yield* store.subject(caller.environment, verification.identity.canonical)
        const now = yield* Clock.currentTimeMillis
        const { lockedUntil } = lockOn(subject, verification, caller.settings.maxConsecutiveFailures, now)
        return lockedUntil === null ? outcome : outcomeWith(caller, verification, lockedUntil)
      })

      const timeline = Effect.fnUntraced(function* (caller: Caller, requestId: string) {
        const verification = yield* findVerification(caller, requestId)
        const { environment } = caller
        const now = yield* Clock.currentTimeMillis
        const verificationItems = timelineOf(verification, reportsOf(caller), now)
        const events = yield* findEvents(verification)
        const endpoints = events.length === 0 ? [] : yield* webhooks.list(environment)
        const attempts = yield* webhooks.attemptsOf(
          environment,
          endpoints.map(({ id }) => id),
          events.map(({ id }) => id)
        )
        const deliveryItems = [...events.map(eventItem), ...attempts.map(webhookItem)]
        return [
          ...verificationItems,
          ...deliveryItems.map((item): TimelineItem => ({ ...item, sinceStartMs: item.at - verification.createdAt }))
        ].sort((a, b) => a.at - b.at)
      })

      const messages = Effect.fnUntraced(function* (caller: Caller, requestId: string) {
        const verification = yield* findVerification(caller, requestId)
        return yield* Effect.forEach(
          verification.deliveries,
          Effect.fnUntraced(function* (delivery): Effect.fn.Return<History.Message, StoreError> {
            const template = delivery.text ?? null
            const content = template === null ? null : yield* templates.content(caller.environment, template)
            // Words of earlier versions are kept for two days.
            if (template !== null && content === null) return { delivery, template, subject: null, text: null }
            return { delivery, template, ...wordsOf(verification, delivery, content, caller.settings) }
          })
        )
      })

      const unmask = Effect.fnUntraced(function* (caller: Caller, requestId: string) {
        const { id, identity } = yield* findVerification(caller, requestId)
        const now = yield* Clock.currentTimeMillis
        const target = { kind: "verification", id }
        yield* outbox.append({ audited: [auditEntry(caller, { action: "identity.unmasked", target }, now)] })
        return identity.spelling
      })

      return History.of({
        search,
        get: (caller, requestId) =>
          Effect.flatMap(findVerification(caller, requestId), (verification) =>
            Effect.map(Clock.currentTimeMillis, (now) => shownAt(verification, now))
          ),
        outcomeOf: (caller, verification) => outcomeWith(caller, verification, null),
        explain,
        timeline,
        eventIds: (caller, requestId) =>
          Effect.map(Effect.flatMap(findVerification(caller, requestId), findEvents), (events) =>
            events.map(({ id }) => id)
          ),
        messages,
        unmask
      })
    })
  )
}

export declare namespace History {
  /** A message as its recipient saw it. */
  export interface Message extends Words {
    readonly delivery: VerificationDelivery
    /** The merchant's own words; null for the built-in words. */
    readonly template: TextReference | null
  }
}
