import { Clock, Context, Effect, Layer, Random } from "effect"
import { envelope, type Event, type EventOf } from "../../foundation/event/Event.ts"
import { EventStore } from "../../foundation/event/EventStore.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { JustCommitted } from "../../foundation/outbox/JustCommitted.ts"
import { Gate } from "../../foundation/outbox/Gate.ts"
import { type JobOutcome, Jobs, type Work } from "../../foundation/outbox/Jobs.ts"
import { backoff } from "../../foundation/outbox/JobKind.ts"
import { Lanes } from "../../foundation/outbox/Lanes.ts"
import { JobStore } from "../../foundation/outbox/JobStore.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import type { EnvironmentKind } from "../merchant/Merchant.ts"
import { Merchants } from "../merchant/Merchants.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import { signing } from "../../foundation/secret/rotation.ts"
import * as Seal from "../../foundation/secret/Seal.ts"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { type Instant, minutes, seconds } from "../../foundation/time/Instant.ts"
import { type EventListener, listenerUrl, lookAgainAt, tell } from "./EventListener.ts"
import { sign } from "./signature.ts"
import { Subscriptions } from "./Subscriptions.ts"
import { disabled, type Webhook, wants } from "./Webhook.ts"
import type { WebhookAttempt } from "./WebhookAttempt.ts"
import { beginningAnew, judge, type Judgement, type Response } from "./webhookRetries.ts"
import {
  deliveryJob,
  type Replay,
  replayGate,
  replayKind,
  type Telling,
  webhookGate,
  webhookKind
} from "./webhookJobs.ts"
import { WebhookSender, WebhookUnanswered } from "./WebhookSender.ts"
import { WebhookStore } from "./WebhookStore.ts"

const committed: JobOutcome = { _tag: "Committed" }
const committedBadly: JobOutcome = { _tag: "Committed", badly: true }
const completed: JobOutcome = { _tag: "Completed" }

/** How many deliveries this process sends concurrently. A single environment gets half of them. */
const mostAtOnce = 256
const pageSize = 200
/**
 * A replay continues when fewer deliveries than this wait for its endpoint, so it never fills storage ahead of them.
 */
const mostInLane = 1_000
const lookAgainAfter = seconds(2)
/** How many replays run concurrently in this process. */
const replayPlaces = 4
/** A delivery due later than this waits for a retry. All others are running or about to run. */
export const longerThanAnyTry = minutes(1)
/**
 * After this many failures in a row, the first success ends an outage. Fewer may be a single event that the receiver
 * cannot take, or a receiver that fails now and then. An early retry would only use up one of its ten tries there.
 */
const outageFailures = 3
/** A process uses its cached endpoint for some seconds, and a try that began then lasts some more. */
const seenEverywhereAfter = seconds(30)
/** Receivers may reject larger bodies; no event of ours comes near this size. */
const largestBody = 20_000

/** An event on its way to one endpoint. */
export interface Delivery {
  readonly webhook: Webhook
  readonly event: Event
  readonly kind: EnvironmentKind
}

/** The request to repeat: the same for every try except for the time and the signatures. */
export const bodyOf = ({ event, kind }: Pick<Delivery, "event" | "kind">): string =>
  JSON.stringify(envelope(event, kind))

/** Delivers events to endpoints, one try at a time. Logs each try, until one gets through or no tries are left. */
export class WebhookDeliveries extends Context.Service<
  WebhookDeliveries,
  {
    /** Makes one manual try immediately. It is logged like any other, and not retried. */
    readonly send: (delivery: Delivery, attempt: number, id: string) => Effect.Effect<WebhookAttempt, StoreError>
    /** From now on this process handles the events of an environment that go to `listenerUrl`. */
    readonly listen: (environment: string, listener: EventListener) => Effect.Effect<void>
    /** Sends the deliveries of an endpoint that wait for a retry now. Returns how many it brought forward. */
    readonly hasten: (webhook: Webhook) => Effect.Effect<number, StoreError>
  }
>()("@countersign/core/webhook/WebhookDeliveries") {
  static readonly layer: Layer.Layer<
    WebhookDeliveries,
    never,
    EventStore | Jobs | JobStore | Keyring | Merchants | Outbox | Subscriptions | WebhookSender | WebhookStore
  > = Layer.effect(
    WebhookDeliveries,
    Effect.gen(function* () {
      const events = yield* EventStore
      const jobs = yield* Jobs
      const jobStore = yield* JobStore
      const keyring = yield* Keyring
      const outbox = yield* Outbox
      const commit = yield* Outbox.committer(WebhookStore)
      const merchants = yield* Merchants
      const subscriptions = yield* Subscriptions
      const sender = yield* WebhookSender
      const store = yield* WebhookStore

      const listeners = new Map<string, EventListener>()

      const secretsOf = Effect.fnUntraced(function* (webhook: Webhook, now: Instant) {
        const current = yield* Seal.open(keyring, "webhook-secret", webhook.sealed)
        const replaced = yield* Effect.forEach(signing(webhook, now), ({ sealed }) =>
          Seal.open(keyring, "webhook-secret", sealed).pipe(
            Effect.map((secret) => [secret]),
            // The key that sealed it may be retired by now; the current secret signs all the same.
            Effect.catchTag("SealBroken", () => Effect.succeed([]))
          )
        )
        return [current, ...replaced.flat()] as const
      })

      /** Sends once. A reason that prevents sending is a result too: it goes to the log. */
      const attemptSend = Effect.fnUntraced(
        function* ({ webhook, ...of }: Delivery, now: Instant) {
          if (webhook.url === listenerUrl) return yield* tell(listeners.get(webhook.environment), of.event, of.kind)
          const body = bodyOf(of)
          if (new TextEncoder().encode(body).length > largestBody) {
            return yield* new WebhookUnanswered({ reason: "PROTOCOL", problem: "the event is larger than 20 KB" })
          }
          const secrets = yield* secretsOf(webhook, now)
          const headers = {
            "content-type": "application/json",
            "user-agent": "Countersign-Webhooks",
            ...sign(secrets, of.event.id, now, body)
          }
          return yield* sender.send({ url: webhook.url, headers, body })
        },
        Effect.catchTags({
          WebhookUnanswered: (unanswered) => Effect.succeed<Response>(unanswered),
          SealBroken: () =>
            Effect.succeed<Response>(
              new WebhookUnanswered({ reason: "PROTOCOL", problem: "the secret cannot be read; rotate it" })
            )
        })
      )

      const logged = (
        { event, webhook }: Delivery,
        attempt: number,
        response: Response,
        judgement: Pick<Judgement, "nextAttemptAt" | "status">,
        times: { readonly started: Instant; readonly ended: Instant },
        id = Identifier.make("dlv", times.started)
      ): WebhookAttempt => ({
        id,
        environment: webhook.environment,
        webhookId: webhook.id,
        eventId: event.id,
        eventType: event.type,
        attempt,
        status: judgement.status,
        url: webhook.url,
        createdAt: times.started,
        durationMs: times.ended - times.started,
        responseStatus: response instanceof WebhookUnanswered ? null : response.status,
        responseBody: response instanceof WebhookUnanswered ? null : response.body,
        error: response instanceof WebhookUnanswered ? response.problem : null,
        nextAttemptAt: judgement.nextAttemptAt
      })

      const switchedOff = (
        { environment, id, url }: Webhook,
        reason: "GONE" | "FAILING",
        now: Instant
      ): EventOf<"webhook.disabled"> => ({
        id: Identifier.make("evt", now),
        environment,
        type: "webhook.disabled",
        createdAt: now,
        data: { webhookId: id, url, reason }
      })

      /**
       * The endpoint's secret resealed under the current key, before the old key is retired; null when it already is.
       */
      const sealedAnew = Effect.fnUntraced(
        function* (webhook: Webhook) {
          if (Seal.isCurrent(keyring, webhook.sealed)) return null
          const secret = yield* Seal.open(keyring, "webhook-secret", webhook.sealed)
          return { ...webhook, sealed: yield* Seal.seal(keyring, "webhook-secret", secret) }
        },
        Effect.catchTag("SealBroken", () => Effect.succeed(null))
      )

      /**
       * Sends deliveries that wait for a retry now. The endpoint's lane limits how many run concurrently. For a
       * disabled endpoint nothing is brought forward, because its deliveries would only be given up earlier.
       */
      const catchUp = ({ environment, id, status }: Webhook, now: Instant) =>
        status === "ACTIVE"
          ? jobStore.hasten({ gate: webhookGate, environment, lane: id, later: now + longerThanAnyTry, runAt: now })
          : Effect.succeed(0)

      const save = Effect.fnUntraced(function* (webhook: Webhook, reason: Judgement["disabled"], now: Instant) {
        const events = reason === null ? [] : [switchedOff(webhook, reason, now)]
        yield* Effect.ensuring(
          commit(WebhookStore.change(webhook, { events })),
          subscriptions.forget(webhook.environment)
        )
      })

      /**
       * Whether any delivery got through since the failures began. A process that sees the failures clears them with
       * the next success. But it sees them some seconds late, and a success in that time is only in the log.
       */
      const gotThrough = Effect.fnUntraced(function* ({ environment, failingSince, id }: Webhook) {
        const since = failingSince ?? 0
        const afterId = Identifier.first("dlv", since + seenEverywhereAfter)
        const [last] = yield* store.attempts({
          environment,
          webhookId: id,
          status: "DELIVERED",
          after: afterId,
          limit: 1
        })
        return last !== undefined && last.createdAt + last.durationMs >= since
      })

      /** Applies a response to the endpoint's current state, because the cached state may be some seconds old. */
      const applyResponse = (
        cached: Webhook,
        response: Response,
        number: number | null,
        now: Instant
      ): Effect.Effect<{ readonly judgement: Judgement; readonly before: Webhook }, StoreError> =>
        Effect.gen(function* () {
          const chance = yield* Random.next
          let webhook: Webhook | null = cached
          let previous = cached
          let judgement = judge(cached, response, number, chance, now)
          const decide = Effect.gen(function* () {
            const current: Webhook | null = webhook ?? (yield* store.get(cached.environment, cached.id))
            webhook = null
            if (current === null) return
            previous = current
            judgement = judge(current, response, number, chance, now)
            if (judgement.disabled === "FAILING" && (yield* gotThrough(current))) {
              judgement = judge(beginningAnew(current), response, number, chance, now)
            }
            const next = judgement.webhook ?? (yield* sealedAnew(current))
            if (next !== null) yield* save(next, judgement.disabled, now)
          })
          // Many tries end together when an endpoint goes down or recovers. A try that loses every retry is logged all
          // the same.
          yield* Effect.catchTag(untilCommitted(decide), "Contended", () => Effect.void)
          return { judgement, before: previous }
        })

      const record = (change: WebhookStore.AttemptChange) => outbox.commit(change, store.record)

      /** A manual try answers its caller immediately. A job's try keeps the response until it is logged. */
      const keeperOf = (job: Work<Telling> | null) =>
        job === null ? <A>(record: Effect.Effect<A, StoreError>) => record : keptBy(job)

      const keptBy =
        ({ untilRecorded }: Work<Telling>) =>
        <A>(record: Effect.Effect<A, StoreError>) =>
          // Records of tries never contend with each other.
          Effect.catchTag(untilRecorded(record), "Contended", Effect.die)

      const attempt = Effect.fnUntraced(function* (
        delivery: Delivery,
        number: number,
        job: Work<Telling> | null,
        id?: string
      ) {
        const keepRecord = keeperOf(job)
        const started = yield* Clock.currentTimeMillis
        const response = yield* attemptSend(delivery, started)
        const ended = yield* Clock.currentTimeMillis
        const { before: previous, judgement } = yield* keepRecord(
          applyResponse(delivery.webhook, response, job === null ? null : number, ended)
        )
        // A manual try shows whether the endpoint works again.
        const worksAgain = job === null || previous.failures >= outageFailures
        if (judgement.status === "DELIVERED" && worksAgain) yield* keepRecord(catchUp(previous, ended))
        const entry = logged(delivery, number, response, judgement, { started, ended }, id)
        yield* keepRecord(
          record(
            WebhookStore.attemptChange(entry, job === null ? null : { lease: job, runAt: judgement.nextAttemptAt })
          )
        )
        return entry
      })

      const refuse = Effect.fnUntraced(function* (delivery: Delivery, job: Work<Telling>) {
        const now = yield* Clock.currentTimeMillis
        const response = new WebhookUnanswered({ reason: "CONNECTION", problem: "the endpoint is disabled" })
        const judgement = { status: "DEAD", nextAttemptAt: null } as const
        const entry = logged(delivery, job.failures + 1, response, judgement, { started: now, ended: now })
        yield* record(WebhookStore.attemptChange(entry, { lease: job, runAt: null }))
      })

      /**
       * Another process may listen to this event, or no process any more. The event waits with growing delays, and is
       * given up after days. From then on no events are kept for listeners until one starts.
       */
      const waitForListener = Effect.fnUntraced(function* (delivery: Delivery, job: Work<Telling>) {
        const now = yield* Clock.currentTimeMillis
        const runAt = lookAgainAt(delivery.event, now)
        if (runAt !== null) {
          const later: JobOutcome = { _tag: "Later", runAt, reason: "waits for a process with onEvent" }
          return later
        }
        const { environment, id } = delivery.webhook
        const switchOff = Effect.gen(function* () {
          const current = yield* store.get(environment, id)
          if (current?.status === "ACTIVE") yield* save(disabled(current, "FAILING"), "FAILING", now)
        })
        yield* Effect.catchTag(untilCommitted(switchOff), "Contended", () => Effect.void)
        yield* refuse(delivery, job)
        return committed
      })

      /**
       * Returns an endpoint that this process may send to. When the cache does not know it or has it disabled, reads
       * storage, which may be newer.
       */
      const find = Effect.fnUntraced(function* (environment: string, id: string) {
        const cached = yield* subscriptions.find(environment, id)
        return cached?.status === "ACTIVE" ? cached : yield* store.get(environment, id)
      })

      const deliver = Effect.fnUntraced(function* (job: Work<Telling>, fresh: JustCommitted) {
        const { environment } = job
        const { eventId, webhookId } = job.payload
        const webhook = yield* find(environment, webhookId)
        const event = fresh.events.find(({ id }) => id === eventId) ?? (yield* events.get(environment, eventId))
        const kind = yield* merchants.kindOf(environment)
        if (webhook === null || event === null || kind === null) return completed
        const delivery = { webhook, event, kind }
        if (webhook.status !== "ACTIVE") {
          yield* refuse(delivery, job)
          return committed
        }
        if (webhook.url === listenerUrl && !listeners.has(environment)) return yield* waitForListener(delivery, job)
        const { status } = yield* attempt(delivery, job.failures + 1, job)
        return status === "DELIVERED" ? committed : committedBadly
      })

      const later = (runAt: Instant, reason: string, payload: Replay): JobOutcome => ({
        _tag: "Later",
        runAt,
        reason,
        payload
      })

      const replay = Effect.fnUntraced(function* (job: Work<Replay>) {
        const { environment } = job
        const request = job.payload
        const { again: randomKey, before: beforeEvent, leaveOut, since, webhookId } = request
        const started = yield* Clock.currentTimeMillis
        const webhook = yield* find(environment, webhookId)
        if (webhook === null) return completed
        const shouldHasten = leaveOut === "DELIVERED" && request.hastenedAt === undefined
        const lane = { gate: webhookGate, environment, lane: webhookId, most: mostInLane }
        if ((yield* jobStore.inLane(lane)) >= mostInLane) {
          // The deliveries that fill the lane may wait for hours. Sends them now, once: this check repeats every few
          // seconds.
          if (shouldHasten) yield* catchUp(webhook, started)
          const next = shouldHasten ? { ...request, hastenedAt: started } : request
          return later(started + lookAgainAfter, "waits for its endpoint", next)
        }
        const page = yield* events.list({ environment, type: null, after: beforeEvent, limit: pageSize })
        const matching = page.filter(({ createdAt, type }) => createdAt >= since && wants(webhook, type))
        const alreadyTried =
          leaveOut === null
            ? new Set<string>()
            : yield* store.attempted(
                environment,
                webhookId,
                matching.map(({ id }) => id),
                leaveOut === "TRIED" ? null : leaveOut
              )
        const now = yield* Clock.currentTimeMillis
        const last = page.at(-1)
        const missing = matching.filter(({ id }) => !alreadyTried.has(id))
        const jobs = missing.map((event) => deliveryJob(webhook, event, now, randomKey ?? undefined))
        if (last === undefined || page.length < pageSize || last.createdAt < since) {
          if (!shouldHasten) {
            yield* outbox.addMissing({ jobs, done: job })
            return committed
          }
          // Runs last, so that no page adds a delivery that was just brought forward. A crash in between repeats both.
          yield* outbox.addMissing({ jobs, done: null })
          yield* catchUp(webhook, now)
          return completed
        }
        // When a crash repeats a page, it finds its deliveries by their keys.
        yield* outbox.addMissing({ jobs, done: null })
        return later(now, "continues", { ...request, before: last.id })
      })

      yield* jobs.pass(new Gate({ name: webhookGate, places: mostAtOnce, share: 1, lanes: new Lanes() }))
      yield* jobs.pass(new Gate({ name: replayGate, places: replayPlaces, share: 1 }))
      /**
       * The tries in the log are a job's failures, and set its schedule. A failure of storage is retried soon and does
       * not count.
       */
      const storageFailed = Effect.fnUntraced(function* (job: Work<Telling>, error: StoreError) {
        yield* logStoreError("A webhook waits for the database", error, { key: job.key })
        const inVain = Math.max(0, job.fence - job.failures - 1)
        const wait = backoff(webhookKind.policy.backoff, inVain, yield* Random.next)
        const later: JobOutcome = {
          _tag: "Later",
          runAt: (yield* Clock.currentTimeMillis) + wait,
          reason: "storage failed"
        }
        return later
      })

      yield* jobs.handle(webhookKind, (job, fresh) =>
        Effect.catchTag(deliver(job, fresh), "StoreError", (error) => storageFailed(job, error))
      )
      yield* jobs.handle(replayKind, replay)

      return WebhookDeliveries.of({
        send: (delivery, number, id) => attempt(delivery, number, null, id),
        listen: (environment, listener) => Effect.sync(() => void listeners.set(environment, listener)),
        hasten: (webhook) => Effect.flatMap(Clock.currentTimeMillis, (now) => catchUp(webhook, now))
      })
    })
  )
}
