import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { AuditStore } from "../audit/AuditStore.ts"
import { EventStore } from "../../foundation/event/EventStore.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Caller } from "../merchant/Caller.ts"
import { FreshSignInNeeded, isFresh } from "../merchant/guardRefusal.ts"
import { auditChange, auditEntry, type AuditEntry } from "../../foundation/outbox/AuditEntry.ts"
import { JobStore } from "../../foundation/outbox/JobStore.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import { mostSecrets, rotated, rotationOverlap } from "../../foundation/secret/rotation.ts"
import * as Seal from "../../foundation/secret/Seal.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { type Instant, toIso } from "../../foundation/time/Instant.ts"
import { type EventListener, listenerUrl } from "./EventListener.ts"
import { type EventLogPage, type EventLogQuery, makeEventLog, type Retried } from "./makeEventLog.ts"
import { type AttemptWithBody, makeManualTries } from "./makeManualTries.ts"
import { makeReplays, type ReplayCount, type ReplayRange } from "./makeReplays.ts"
import { makeSecret } from "./signature.ts"
import { knownEverywhereAfter, Subscriptions } from "./Subscriptions.ts"
import { type Condition as Missing, makeUndelivered } from "./undelivered.ts"
import { disabled, enabled, newWebhook, type Webhook } from "./Webhook.ts"
import type { AttemptStatus, WebhookAttempt } from "./WebhookAttempt.ts"
import { auditActionOf, auditFieldsOf } from "./webhookAudit.ts"
import { WebhookDeliveries } from "./WebhookDeliveries.ts"
import { type ReplayRuns, UnknownWebhook, type UnknownWebhookDelivery, WebhookUrlTaken } from "./WebhookError.ts"
import { checkDescription, checkEvents, checkStatus, type WebhookFields } from "./webhookFields.ts"
import { replayJob } from "./webhookJobs.ts"
import { WebhookSender } from "./WebhookSender.ts"
import { WebhookStore } from "./WebhookStore.ts"

const mostPerEnvironment = 50

/**
 * Manages merchants' webhook endpoints, their deliveries and the results.
 *
 * @example
 * ```ts
 * import { type Caller, Webhooks } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const register = Effect.fn(function* (caller: Caller) {
 *   const webhooks = yield* Webhooks
 *   const { secret, webhook } = yield* webhooks.create(caller, {
 *     url: "https://example.com/webhooks",
 *     events: ["otp.verified"]
 *   })
 *   const { attempt } = yield* webhooks.test(caller, webhook.id)
 *   return { secret, works: attempt.status === "DELIVERED" }
 * })
 * ```
 */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<Webhook>, StoreError>
    readonly get: (caller: Caller, id: string) => Effect.Effect<Webhook, UnknownWebhook | StoreError>
    /** Registers an endpoint. Its secret is shown only in this result. */
    readonly create: (
      caller: Caller,
      fields: WebhookFields
    ) => Effect.Effect<Webhooks.WithSecret, InvalidField | WebhookUrlTaken | StoreError>
    /** Changes the given fields and keeps the others. Enabling an endpoint clears its failures. */
    readonly change: (
      caller: Caller,
      id: string,
      fields: WebhookFields
    ) => Effect.Effect<
      Webhook,
      FreshSignInNeeded | InvalidField | UnknownWebhook | WebhookUrlTaken | Contended | StoreError
    >
    readonly remove: (caller: Caller, id: string) => Effect.Effect<void, UnknownWebhook | Contended | StoreError>
    /**
     * Makes a new secret. The old secret signs beside it for a day; at most four sign at the same time. With
     * `endOthers` only the new secret signs from now on, for a secret that leaked.
     */
    readonly rotateSecret: (
      caller: Caller,
      id: string,
      options?: { readonly endOthers?: boolean }
    ) => Effect.Effect<Webhooks.WithSecret, InvalidField | UnknownWebhook | Contended | StoreError>
    /** Sends a test event now and returns the result. */
    readonly test: (caller: Caller, id: string) => Effect.Effect<AttemptWithBody, UnknownWebhook | StoreError>
    /** The delivery log, newest first. */
    readonly deliveries: (
      caller: Caller,
      id: string,
      page: { readonly status: AttemptStatus | null; readonly after: string | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<WebhookAttempt>, UnknownWebhook | StoreError>
    readonly delivery: (
      caller: Caller,
      id: string,
      deliveryId: string
    ) => Effect.Effect<AttemptWithBody, UnknownWebhook | UnknownWebhookDelivery | StoreError>
    /** Sends a delivery once more, now, and returns the result. */
    readonly redeliver: (
      caller: Caller,
      id: string,
      deliveryId: string
    ) => Effect.Effect<AttemptWithBody, UnknownWebhook | UnknownWebhookDelivery | StoreError>
    /**
     * What the endpoint was sent, event by event, newest event first, with all tries. An event that was never tried is
     * not in the list.
     */
    readonly events: (
      caller: Caller,
      id: string,
      query: EventLogQuery
    ) => Effect.Effect<EventLogPage, UnknownWebhook | StoreError>
    /**
     * Sends an event now that the endpoint has not received, in the background. A delivery that is running is not
     * started a second time, and a received event is not sent.
     */
    readonly retry: (
      caller: Caller,
      id: string,
      eventId: string
    ) => Effect.Effect<Retried, InvalidField | UnknownWebhook | UnknownWebhookDelivery | StoreError>
    /** Sends all events that wait for a retry now, in the background. */
    readonly retryWaiting: (
      caller: Caller,
      id: string
    ) => Effect.Effect<Retried, InvalidField | UnknownWebhook | StoreError>
    /** How the endpoint is doing, how many events it has not received, and its last try. */
    readonly condition: (caller: Caller, id: string) => Effect.Effect<Webhooks.Condition, UnknownWebhook | StoreError>
    /**
     * How many events a replay would send now: those of the range, among its newest 1000, and with `onlyMissing` also
     * those that wait for a retry.
     */
    readonly replayable: (
      caller: Caller,
      id: string,
      range: ReplayRange
    ) => Effect.Effect<ReplayCount, UnknownWebhook | StoreError>
    /** Sends every recorded event of a range again, in the background. An endpoint runs one replay at a time. */
    readonly replay: (
      caller: Caller,
      id: string,
      range: ReplayRange
    ) => Effect.Effect<void, InvalidField | UnknownWebhook | ReplayRuns | Contended | StoreError>
    /**
     * Calls the listener in this process for every event of the caller's environment, at least once each, with the
     * retry schedule of webhooks. Creates an endpoint with the address `process:onEvent`, which all listening processes
     * share. It stays for processes that start later.
     */
    readonly listen: (caller: Caller, listener: EventListener) => Effect.Effect<void, Contended | StoreError>
  }
>()("@countersign/core/webhook/Webhooks") {
  static readonly layerNoDeps: Layer.Layer<
    Webhooks,
    never,
    | AuditStore
    | EventStore
    | JobStore
    | Keyring
    | Outbox
    | Subscriptions
    | WebhookDeliveries
    | WebhookSender
    | WebhookStore
  > = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const audit = yield* AuditStore
      const events = yield* EventStore
      const jobs = yield* JobStore
      const keyring = yield* Keyring
      const outbox = yield* Outbox
      const commit = yield* Outbox.committer(WebhookStore)
      const subscriptions = yield* Subscriptions
      const deliveries = yield* WebhookDeliveries
      const sender = yield* WebhookSender
      const store = yield* WebhookStore
      const { condition, undelivered } = makeUndelivered(store, jobs)
      const eventLog = makeEventLog({ audit, deliveries, events, jobs, outbox, store })
      const manual = makeManualTries({ audit, deliveries, events, outbox, store })
      const replays = makeReplays({ commit, events, jobs, store, undelivered })

      const get = Effect.fnUntraced(function* (caller: Caller, id: string) {
        const webhook = Identifier.is("whk", id) ? yield* store.get(caller.environment, id) : null
        return webhook ?? (yield* new UnknownWebhook())
      })

      /** Does something at an endpoint of the caller. */
      const at = <A, E>(caller: Caller, id: string, use: (webhook: Webhook) => Effect.Effect<A, E>) =>
        Effect.flatMap(get(caller, id), use)

      const checkUrl = Effect.fnUntraced(function* (text: string, otherWebhooks: ReadonlyArray<Webhook>) {
        yield* sender.check(text)
        const url = new URL(text).href
        return otherWebhooks.some((webhook) => webhook.url === url) ? yield* new WebhookUrlTaken() : url
      })

      /**
       * Processes with an older cache record events without delivering them to this endpoint; this replay catches up.
       */
      const catchUp = ({ environment, id }: Webhook, now: Instant) => {
        const until = now + knownEverywhereAfter
        const beforeEvent = Identifier.first("evt", until)
        const range = { webhookId: id, since: now, before: beforeEvent, leaveOut: "TRIED", again: null } as const
        return replayJob(environment, range, `replay:${id}:TRIED:${beforeEvent}`, until)
      }

      const save = Effect.fnUntraced(function* (webhook: Webhook, audited: ReadonlyArray<AuditEntry>, now: Instant) {
        const jobs = webhook.status === "ACTIVE" ? [catchUp(webhook, now)] : []
        const stored = yield* commit(WebhookStore.change(webhook, { jobs, audited }))
        yield* subscriptions.forget(webhook.environment)
        return stored
      })

      const newSecret = Effect.gen(function* () {
        const secret = makeSecret(yield* RequestKey.bytesFor("webhook secret"))
        return { secret: Redacted.make(secret), sealed: yield* Seal.seal(keyring, "webhook-secret", secret) }
      })

      /** The current state of the endpoint to which an earlier try of this request gave this secret. */
      const givenBefore = Effect.fnUntraced(function* ({ environment }: Caller, id: string, secret: Redacted.Redacted) {
        const webhook = yield* store.get(environment, id)
        if (webhook === null) return null
        for (const { sealed } of [webhook, ...webhook.previous]) {
          const opened = yield* Effect.option(Seal.open(keyring, "webhook-secret", sealed))
          if (opened._tag === "Some" && opened.value === Redacted.value(secret)) return { webhook, secret }
        }
        return null
      })

      const create = Effect.fnUntraced(function* (caller: Caller, fields: WebhookFields) {
        const secretPair = yield* newSecret
        const id = yield* RequestKey.idFor("whk", yield* Clock.currentTimeMillis)
        return yield* RequestKey.once(givenBefore(caller, id, secretPair.secret), add(caller, id, secretPair, fields))
      })

      const add = Effect.fnUntraced(function* (
        caller: Caller,
        id: string,
        { sealed, secret }: { readonly sealed: string; readonly secret: Redacted.Redacted },
        fields: WebhookFields
      ) {
        if (fields.url == null) return yield* invalidField("url", Problem.of("REQUIRED"))
        const existing = yield* store.list(caller.environment)
        if (existing.length >= mostPerEnvironment) {
          return yield* invalidField(
            "url",
            Problem.of("FULL", { holder: "environment", max: mostPerEnvironment, things: "endpoints" })
          )
        }
        const url = yield* checkUrl(fields.url, existing)
        const eventTypes = yield* checkEvents(fields.events ?? null)
        const description = yield* checkDescription(fields.description ?? null)
        const now = yield* Clock.currentTimeMillis
        const { environment } = caller
        const webhook = newWebhook({ id, environment, url, events: eventTypes, description, sealed, createdAt: now })
        // The endpoint's id is new, so only its URL can conflict.
        const entry = auditEntry(
          caller,
          { ...auditActionOf("webhook.created", webhook), to: auditFieldsOf(webhook) },
          now
        )
        const stored = yield* Effect.catchTag(save(webhook, [entry], now), "Conflict", () =>
          Effect.fail(new WebhookUrlTaken())
        )
        return { webhook: stored, secret }
      })

      const decideChange = Effect.fnUntraced(function* (caller: Caller, id: string, fields: WebhookFields) {
        const webhook = yield* get(caller, id)
        const otherWebhooks = (yield* store.list(caller.environment)).filter((webhook) => webhook.id !== id)
        const url = fields.url == null ? webhook.url : yield* checkUrl(fields.url, otherWebhooks)
        const eventTypes = fields.events === undefined ? webhook.events : yield* checkEvents(fields.events)
        const description =
          fields.description === undefined ? webhook.description : yield* checkDescription(fields.description)
        const status = fields.status == null ? webhook.status : yield* checkStatus(fields.status)
        const now = yield* Clock.currentTimeMillis
        if (url !== webhook.url && !isFresh(caller.person, now)) return yield* new FreshSignInNeeded()
        const edited = { ...webhook, url, events: eventTypes, description }
        const next =
          status === webhook.status ? edited : status === "ACTIVE" ? enabled(edited) : disabled(edited, "MERCHANT")
        const auditAction = {
          ...auditActionOf("webhook.changed", webhook),
          from: auditFieldsOf(webhook),
          to: auditFieldsOf(next)
        }
        return yield* save(next, auditChange(caller, auditAction, now), now)
      })

      const rotate = Effect.fnUntraced(function* (caller: Caller, id: string, endOthers: boolean) {
        const secretPair = yield* newSecret
        return yield* untilCommitted(
          RequestKey.once(givenBefore(caller, id, secretPair.secret), decideRotate(caller, id, endOthers, secretPair))
        )
      })

      const decideRotate = Effect.fnUntraced(function* (
        caller: Caller,
        id: string,
        endOthers: boolean,
        secretPair: { readonly sealed: string; readonly secret: Redacted.Redacted }
      ) {
        const webhook = yield* get(caller, id)
        const { sealed, secret } = secretPair
        const now = yield* Clock.currentTimeMillis
        const outcome = rotated(webhook, sealed, now, endOthers)
        if (outcome._tag === "Full") {
          return yield* invalidField(
            "secret",
            Problem.of("SECRETS_FULL", { max: mostSecrets, until: toIso(outcome.until) })
          )
        }
        const to = { retiringAt: endOthers ? toIso(now) : toIso(now + rotationOverlap) }
        const entry = auditEntry(caller, { ...auditActionOf("webhook.secret_rotated", webhook), to }, now)
        const stored = yield* commit(WebhookStore.change(outcome.next, { audited: [entry] }))
        yield* subscriptions.forget(webhook.environment)
        return { webhook: stored, secret }
      })

      const decideReplay = Effect.fnUntraced(function* (caller: Caller, id: string, range: ReplayRange) {
        yield* replays.replay(caller, yield* get(caller, id), range)
        yield* subscriptions.forget(caller.environment)
      })

      /** The endpoint of the listening processes, enabled. */
      const ensureListenerWebhook = Effect.fnUntraced(function* (caller: Caller) {
        const { environment } = caller
        const existing = (yield* store.list(environment)).find(({ url }) => url === listenerUrl)
        if (existing?.status === "ACTIVE") return existing
        const now = yield* Clock.currentTimeMillis
        if (existing !== undefined) {
          const auditAction = {
            ...auditActionOf("webhook.changed", existing),
            from: auditFieldsOf(existing),
            to: auditFieldsOf(enabled(existing))
          }
          return yield* save(enabled(existing), auditChange(caller, auditAction, now), now)
        }
        const { sealed } = yield* newSecret
        const webhook = newWebhook({
          id: Identifier.make("whk", now),
          environment,
          url: listenerUrl,
          events: null,
          description: "Processes with onEvent",
          sealed,
          createdAt: now
        })
        const entry = auditEntry(
          caller,
          { ...auditActionOf("webhook.created", webhook), to: auditFieldsOf(webhook) },
          now
        )
        return yield* save(webhook, [entry], now)
      })

      return Webhooks.of({
        listen: Effect.fnUntraced(function* (caller, listener) {
          yield* deliveries.listen(caller.environment, listener)
          // Events that waited for a listening process continue now.
          yield* deliveries.hasten(yield* untilCommitted(ensureListenerWebhook(caller)))
        }),
        list: (caller) => store.list(caller.environment),
        get,
        create,
        change: (caller, id, fields) => untilCommitted(decideChange(caller, id, fields)),
        rotateSecret: (caller, id, { endOthers = false } = {}) => rotate(caller, id, endOthers),

        remove: (caller, id) =>
          Effect.gen(function* () {
            const webhook = yield* get(caller, id)
            const auditAction = { ...auditActionOf("webhook.removed", webhook), from: auditFieldsOf(webhook) }
            const entry = auditEntry(caller, auditAction, yield* Clock.currentTimeMillis)
            yield* outbox.commit(WebhookStore.change(webhook, { audited: [entry] }), store.remove)
          }).pipe(untilCommitted, Effect.ensuring(subscriptions.forget(caller.environment))),

        test: (caller, id) => at(caller, id, (webhook) => manual.test(caller, webhook)),
        deliveries: (caller, id, { after, limit, status }) =>
          at(caller, id, ({ environment, id: webhookId }) =>
            store.attempts({ environment, webhookId, status, after, limit })
          ),
        delivery: (caller, id, deliveryId) => at(caller, id, (webhook) => manual.delivery(caller, webhook, deliveryId)),
        redeliver: (caller, id, deliveryId) =>
          at(caller, id, (webhook) => manual.redeliver(caller, webhook, deliveryId)),
        events: (caller, id, query) => at(caller, id, (webhook) => eventLog.list(webhook, query)),
        retry: (caller, id, eventId) => at(caller, id, (webhook) => eventLog.retry(caller, webhook, eventId)),
        retryWaiting: (caller, id) => at(caller, id, (webhook) => eventLog.retryWaiting(caller, webhook)),
        condition: (caller, id) => at(caller, id, condition),
        replayable: (caller, id, range) => at(caller, id, (webhook) => replays.replayable(webhook, range)),
        replay: (caller, id, range) => untilCommitted(decideReplay(caller, id, range))
      })
    })
  )
}

export declare namespace Webhooks {
  export interface WithSecret {
    readonly webhook: Webhook
    /** Shown only in this result. */
    readonly secret: Redacted.Redacted
  }

  export type Condition = Missing
}
