import { Cache, Context, Duration, Effect, Exit, Layer } from "effect"
import type { Event } from "../event/Event.ts"
import type { Job } from "../job/Job.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { seconds } from "../time/Instant.ts"
import { type Webhook, wants } from "./Webhook.ts"
import { deliveryJob } from "./webhookJobs.ts"
import { WebhookStore } from "./WebhookStore.ts"

/** How long a process may go on with the endpoints that it knows. */
const freshness = "3 seconds"
/** By then every process knows of a change, and what was recorded meanwhile has been committed. */
export const knownEverywhereAfter = seconds(10)
const capacity = 10_000
const timeToLive = (exit: Exit.Exit<unknown, unknown>) => (Exit.isSuccess(exit) ? freshness : Duration.zero)

/** Which endpoints want to hear of what. */
export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    /**
     * The work of telling every endpoint that wants to hear of these events, to be committed together with them. It is
     * asked on every change, and answers from memory; an endpoint that is newer than what is known here is told
     * afterwards, by a replay of its first seconds.
     */
    readonly jobsFor: (events: ReadonlyArray<Event>) => Effect.Effect<ReadonlyArray<Job>, StoreError>
    /** An endpoint as it was seconds ago; null when there is none. */
    readonly find: (environment: string, id: string) => Effect.Effect<Webhook | null, StoreError>
    /** The endpoints of this environment have changed. */
    readonly forget: (environment: string) => Effect.Effect<void>
  }
>()("@countersign/core/webhook/Subscriptions") {
  static readonly layer: Layer.Layer<Subscriptions, never, WebhookStore> = Layer.effect(
    Subscriptions,
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const known = yield* Cache.makeWith(store.list, { capacity, timeToLive })
      const none: ReadonlyArray<Job> = []

      const jobs = (webhooks: ReadonlyArray<Webhook>, events: ReadonlyArray<Event>) =>
        webhooks.length === 0
          ? none
          : events.flatMap((event) =>
              webhooks
                .filter((webhook) => wants(webhook, event.type))
                .map((webhook) => deliveryJob(webhook, event, event.createdAt))
            )

      return Subscriptions.of({
        jobsFor: (events) =>
          events[0] === undefined
            ? Effect.succeed(none)
            : Effect.map(Cache.get(known, events[0].environment), (webhooks) => jobs(webhooks, events)),
        find: (environment, id) =>
          Effect.map(Cache.get(known, environment), (all) => all.find((webhook) => webhook.id === id) ?? null),
        forget: (environment) => Cache.invalidate(known, environment)
      })
    })
  )
}
