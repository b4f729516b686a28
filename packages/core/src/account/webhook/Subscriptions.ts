import { Clock, Context, Effect, Layer } from "effect"
import type { Event } from "../../foundation/event/Event.ts"
import type { Job } from "../../foundation/outbox/Job.ts"
import { Subscribers } from "../../foundation/outbox/Subscribers.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { type Millis, seconds } from "../../foundation/time/Instant.ts"
import { steadyMillis } from "../../foundation/time/steadyTime.ts"
import { type Webhook, wants } from "./Webhook.ts"
import { deliveryJob } from "./webhookJobs.ts"
import { WebhookStore } from "./WebhookStore.ts"

/** How long a process may use its cached endpoints. */
const freshness = seconds(3)
/** By then every process knows of a change, and the events recorded in the meantime are committed. */
export const knownEverywhereAfter = seconds(10)
const mostKnown = 10_000

interface Known {
  readonly webhooks: ReadonlyArray<Webhook>
  /** How often the cache is refreshed when nothing changes. */
  readonly until: Millis
}

const noJobs: ReadonlyArray<Job> = []
const noWork = Effect.succeed(noJobs)

/** An endpoint that this change disables still counts as active until the change is committed. */
const isItsEnd = (event: Event, { id }: Webhook) => event.type === "webhook.disabled" && event.data.webhookId === id

const jobs = (webhooks: ReadonlyArray<Webhook>, events: ReadonlyArray<Event>): ReadonlyArray<Job> =>
  webhooks.length === 0
    ? noJobs
    : events.flatMap((event) =>
        webhooks
          .filter((webhook) => wants(webhook, event.type) && !isItsEnd(event, webhook))
          .map((webhook) => deliveryJob(webhook, event, event.createdAt))
      )

/**
 * Which endpoints subscribe to which event types. The outbox uses it as its `Subscribers`: it asks on every change and
 * is answered from memory. An endpoint newer than this cache receives the events it missed by a replay of its first
 * seconds.
 */
export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    /** An endpoint as it was some seconds ago; null when it does not exist. */
    readonly find: (environment: string, id: string) => Effect.Effect<Webhook | null, StoreError>
    /** Drops the cached endpoints of this environment after a change. */
    readonly forget: (environment: string) => Effect.Effect<void>
  }
>()("@countersign/core/webhook/Subscriptions") {
  static readonly layer: Layer.Layer<Subscriptions | Subscribers, never, WebhookStore> = Layer.effectContext(
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const clock = yield* Clock.Clock
      // A plain map without a fiber: every login reads it, and most merchants have no endpoint.
      const webhooksByEnvironment = new Map<string, Known>()

      const load = Effect.fnUntraced(function* (environment: string) {
        // The result may be as old as this moment.
        const until = steadyMillis(clock) + freshness
        const webhooks = yield* store.list(environment)
        if (webhooksByEnvironment.size >= mostKnown) webhooksByEnvironment.clear()
        webhooksByEnvironment.set(environment, { webhooks, until })
        return webhooks
      })

      const freshFromCache = (environment: string): ReadonlyArray<Webhook> | undefined => {
        const cached = webhooksByEnvironment.get(environment)
        return cached !== undefined && steadyMillis(clock) < cached.until ? cached.webhooks : undefined
      }

      const subscribers = Subscribers.of({
        jobsFor: (events) => {
          if (events[0] === undefined) return noWork
          const { environment } = events[0]
          const webhooks = freshFromCache(environment)
          return webhooks === undefined
            ? Effect.map(load(environment), (loaded) => jobs(loaded, events))
            : webhooks.length === 0
              ? noWork
              : Effect.succeed(jobs(webhooks, events))
        }
      })

      const subscriptions = Subscriptions.of({
        find: (environment, id) =>
          Effect.suspend(() => {
            const webhooks = freshFromCache(environment)
            const all = webhooks === undefined ? load(environment) : Effect.succeed(webhooks)
            return Effect.map(all, (all) => all.find((webhook) => webhook.id === id) ?? null)
          }),
        forget: (environment) => Effect.sync(() => void webhooksByEnvironment.delete(environment))
      })

      return Context.make(Subscriptions, subscriptions).pipe(Context.add(Subscribers, subscribers))
    })
  )
}
