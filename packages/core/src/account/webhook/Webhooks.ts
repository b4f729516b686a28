import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { AuditStore } from "../audit/AuditStore.ts"
import { doneBefore } from "../audit/doneBefore.ts"
import type { Event, EventOf } from "../../foundation/event/Event.ts"
import { EventStore } from "../../foundation/event/EventStore.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { Caller } from "../merchant/Caller.ts"
import { FreshSignInNeeded, isFresh } from "../merchant/guardRefusal.ts"
import { seenEvent } from "../merchant/seesIdentities.ts"
import {
  auditChange,
  auditEntry,
  type AuditEntry,
  type AuditFields,
  type Deed
} from "../../foundation/outbox/AuditEntry.ts"
import { JobStore } from "../../foundation/outbox/JobStore.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import * as Seal from "../../foundation/secret/Seal.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { type Instant, minutes, toIso } from "../../foundation/time/Instant.ts"
import { type EventListener, listenerUrl } from "./EventListener.ts"
import { makeSecret } from "./signature.ts"
import { knownEverywhereAfter, Subscriptions } from "./Subscriptions.ts"
import { disabled, enabled, mostSecrets, newWebhook, rotated, rotationOverlap, wants, type Webhook } from "./Webhook.ts"
import type { AttemptStatus, WebhookAttempt } from "./WebhookAttempt.ts"
import { bodyOf, WebhookDeliveries } from "./WebhookDeliveries.ts"
import { ReplayRuns, UnknownWebhook, UnknownWebhookDelivery, WebhookUrlTaken } from "./WebhookError.ts"
import { checkDescription, checkEvents, checkStatus, type WebhookFields } from "./webhookFields.ts"
import { replayJob } from "./webhookJobs.ts"
import { WebhookSender } from "./WebhookSender.ts"
import { WebhookStore } from "./WebhookStore.ts"

/** A try, with the body that was sent; null once its event is too old. */
export interface AttemptWithBody {
  readonly attempt: WebhookAttempt
  readonly body: string | null
}

export interface ReplayRange {
  readonly since: Instant
  readonly until: Instant
  /**
   * Sends only events that never reached this endpoint. Deliveries that wait for a retry are sent now, regardless of
   * the range.
   */
  readonly onlyMissing: boolean
}

/** How many events a replay would send, up to the counting limit. */
export interface ReplayCount {
  readonly events: number
  /** Whether the range has more events than were counted. */
  readonly more: boolean
}

/** Events that an endpoint has not received, counted over its latest tries. */
export interface Backlog {
  /** How many events wait for a retry. */
  readonly pending: number
  /** How many events failed their last try. */
  readonly givenUp: number
  /** Whether there are more failed tries than were counted. */
  readonly more: boolean
}

const mostPerEnvironment = 50
/** How many failed tries a backlog is counted over, and how many last tries. */
const mostInBacklog = 200
/** A retry that is due this long without a result is no longer expected: its event is gone, or its endpoint changed. */
const longestDue = minutes(2)
/** Counting looks at this many events of a range, the newest first. */
const countedPages = 5
const countedPage = 200

const invalid = (field: string, problem: string) => new InvalidField({ field, problem })

/** The part of an endpoint that history entries may show: everything except its secret. */
const auditFieldsOf = ({ description, events, status, url }: Webhook): AuditFields => ({
  url,
  events,
  description,
  status
})

const auditActionOf = (action: string, { id }: Webhook): Deed => ({ action, target: { kind: "webhook", id } })

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
    /** How many events an endpoint has not received: those that wait for a retry, and those that were given up. */
    readonly backlog: (caller: Caller, id: string) => Effect.Effect<Backlog, UnknownWebhook | StoreError>
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

      const get = Effect.fnUntraced(function* (caller: Caller, id: string) {
        const webhook = Identifier.is("whk", id) ? yield* store.get(caller.environment, id) : null
        return webhook ?? (yield* new UnknownWebhook())
      })

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

      const eventOf = Effect.fnUntraced(function* (caller: Caller, { eventId }: WebhookAttempt) {
        return yield* events.get(caller.environment, eventId)
      })

      const attemptOf = Effect.fnUntraced(function* (caller: Caller, webhook: Webhook, deliveryId: string) {
        const attempt = Identifier.is("dlv", deliveryId) ? yield* store.attempt(caller.environment, deliveryId) : null
        return attempt === null || attempt.webhookId !== webhook.id ? yield* new UnknownWebhookDelivery() : attempt
      })

      /** The body that was sent, as the caller may see it. */
      const seenBody = (caller: Caller, event: Event) => bodyOf({ event: seenEvent(caller, event), kind: caller.kind })

      /** Sends now. A repeated request returns the logged try. A try that died before it was logged is made again. */
      const sendNow = Effect.fnUntraced(function* (caller: Caller, webhook: Webhook, event: Event, number: number) {
        const id = yield* RequestKey.idFor("dlv", yield* Clock.currentTimeMillis)
        const attempt = yield* RequestKey.once(
          store.attempt(caller.environment, id),
          deliveries.send({ webhook, event, kind: caller.kind }, number, id)
        )
        return { attempt, body: seenBody(caller, event) }
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
        if (fields.url == null) return yield* invalid("url", "is required")
        const existing = yield* store.list(caller.environment)
        if (existing.length >= mostPerEnvironment) {
          return yield* invalid("url", `this environment already has ${mostPerEnvironment} endpoints; remove one first`)
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
          const problem = `already has ${mostSecrets} valid versions; rotate again after ${toIso(outcome.until)}, or end all older secrets now with endOthers: true`
          return yield* invalid("secret", problem)
        }
        const to = { retiringAt: endOthers ? toIso(now) : toIso(now + rotationOverlap) }
        const entry = auditEntry(caller, { ...auditActionOf("webhook.secret_rotated", webhook), to }, now)
        const stored = yield* commit(WebhookStore.change(outcome.webhook, { audited: [entry] }))
        yield* subscriptions.forget(webhook.environment)
        return { webhook: stored, secret }
      })

      /**
       * The endpoint's version lets only one of several requests start a replay, and the job's key identifies it to the
       * others.
       */
      const decideReplay = Effect.fnUntraced(function* (
        caller: Caller,
        id: string,
        { onlyMissing, since, until }: ReplayRange
      ) {
        const webhook = yield* get(caller, id)
        const replay = `replay:${webhook.id}:${yield* RequestKey.textFor("replay", 10)}`
        // An earlier try of this request started it.
        if (webhook.replay === replay) return
        if (webhook.status !== "ACTIVE") return yield* invalid("status", "the endpoint is disabled; enable it first")
        if (since > until) return yield* invalid("until", "must not be before since")
        if (webhook.replay !== undefined && (yield* jobs.holds(webhook.replay))) return yield* new ReplayRuns()
        const now = yield* Clock.currentTimeMillis
        const leaveOut = onlyMissing ? "DELIVERED" : null
        const randomKey = onlyMissing ? null : Identifier.randomText(10)
        const beforeEvent = Identifier.first("evt", until + 1)
        const job = replayJob(
          caller.environment,
          { webhookId: webhook.id, since, before: beforeEvent, leaveOut, again: randomKey },
          replay,
          now
        )
        const resent = { since: toIso(since), until: toIso(until), onlyMissing }
        const entry = auditEntry(caller, { ...auditActionOf("webhook.replayed", webhook), to: resent }, now)
        yield* commit(WebhookStore.change({ ...webhook, replay }, { jobs: [job], audited: [entry] }))
        yield* subscriptions.forget(webhook.environment)
      })

      /** The events that an endpoint has not received, by its latest failed tries. */
      const undelivered = Effect.fnUntraced(function* ({ environment, id: webhookId }: Webhook) {
        const page = { environment, webhookId, after: null, limit: mostInBacklog } as const
        const failed = yield* store.attempts({ ...page, status: "FAILED" })
        const dead = yield* store.attempts({ ...page, status: "DEAD" })
        const now = yield* Clock.currentTimeMillis
        const retried = failed.filter(({ nextAttemptAt }) => nextAttemptAt !== null && nextAttemptAt > now - longestDue)
        // Ids are in order of time, so the map keeps the latest try of each event.
        const tries = [...retried, ...dead].toSorted((a, b) => (a.id < b.id ? -1 : 1))
        const latest = new Map(tries.map(({ eventId, status }) => [eventId, status]))
        const eventIds = [...latest.keys()]
        const delivered =
          eventIds.length === 0
            ? new Set<string>()
            : yield* store.attempted(environment, webhookId, eventIds, "DELIVERED")
        const missing = eventIds.filter((event) => !delivered.has(event))
        return {
          pending: missing.filter((event) => latest.get(event) === "FAILED"),
          givenUp: missing.filter((event) => latest.get(event) === "DEAD"),
          more: [failed, dead].some(({ length }) => length === mostInBacklog)
        }
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

        test: Effect.fnUntraced(function* (caller, id) {
          const webhook = yield* get(caller, id)
          const now = yield* Clock.currentTimeMillis
          const newEvent: EventOf<"webhook.test"> = {
            id: yield* RequestKey.idFor("evt", now),
            environment: caller.environment,
            type: "webhook.test",
            createdAt: now,
            data: { webhookId: id, message: "This is a test" }
          }
          const recorded = events.get(caller.environment, newEvent.id)
          const event = yield* RequestKey.once<Event, StoreError, never, StoreError, never>(
            recorded,
            Effect.as(outbox.append({ events: [newEvent] }), newEvent)
          )
          return yield* sendNow(caller, webhook, event, 1)
        }),

        deliveries: Effect.fnUntraced(function* (caller, id, { after, limit, status }) {
          const webhook = yield* get(caller, id)
          const page: WebhookStore.AttemptPage = {
            environment: caller.environment,
            webhookId: webhook.id,
            status,
            after,
            limit
          }
          return yield* store.attempts(page)
        }),

        delivery: Effect.fnUntraced(function* (caller, id, deliveryId) {
          const attempt = yield* attemptOf(caller, yield* get(caller, id), deliveryId)
          const event: Event | null = yield* eventOf(caller, attempt)
          return { attempt, body: event === null ? null : seenBody(caller, event) }
        }),

        redeliver: Effect.fnUntraced(function* (caller, id, deliveryId) {
          const webhook = yield* get(caller, id)
          const attempt = yield* attemptOf(caller, webhook, deliveryId)
          const event = yield* eventOf(caller, attempt)
          if (event === null) return yield* new UnknownWebhookDelivery()
          const auditAction = {
            ...auditActionOf("webhook.redelivered", webhook),
            to: { deliveryId, eventId: event.id }
          }
          const entry = auditEntry(caller, auditAction, yield* Clock.currentTimeMillis)
          if ((yield* doneBefore(audit, caller.merchantId)) === null) {
            yield* outbox.append({ audited: yield* RequestKey.marked([entry]) })
          }
          return yield* sendNow(caller, webhook, event, attempt.attempt + 1)
        }),

        backlog: Effect.fnUntraced(function* (caller, id) {
          const { givenUp, more, pending } = yield* undelivered(yield* get(caller, id))
          return { pending: pending.length, givenUp: givenUp.length, more }
        }),

        replayable: Effect.fnUntraced(function* (caller, id, { onlyMissing, since, until }) {
          // A disabled endpoint has to be enabled first.
          const webhook = enabled(yield* get(caller, id))
          const { environment } = caller
          // A replay of missing events also sends those that wait for a retry, regardless of the range.
          const counted = new Set(onlyMissing ? (yield* undelivered(webhook)).pending : [])
          let after = Identifier.first("evt", until + 1)
          for (let page = 0; page < countedPages; page++) {
            const eventPage = yield* events.list({ environment, type: null, after, limit: countedPage })
            const matchingIds = eventPage.flatMap((event) =>
              event.createdAt >= since && wants(webhook, event.type) ? [event.id] : []
            )
            const delivered = onlyMissing
              ? yield* store.attempted(environment, webhook.id, matchingIds, "DELIVERED")
              : new Set<string>()
            for (const event of matchingIds) if (!delivered.has(event)) counted.add(event)
            const last = eventPage.at(-1)
            if (last === undefined || eventPage.length < countedPage || last.createdAt < since)
              return { events: counted.size, more: false }
            after = last.id
          }
          return { events: counted.size, more: true }
        }),

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
}
