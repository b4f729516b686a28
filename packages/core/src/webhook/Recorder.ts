import { Context, Effect, Layer } from "effect"
import type { Event } from "../event/Event.ts"
import { EventStore } from "../event/EventStore.ts"
import { Jobs } from "../outbox/Jobs.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { Subscriptions } from "./Subscriptions.ts"

/** Records events that no verification changed with, and sees to it that endpoints are told. */
export class Recorder extends Context.Service<
  Recorder,
  {
    /** Events of one environment: durable when it returns. */
    readonly record: (events: ReadonlyArray<Event>) => Effect.Effect<void, StoreError>
  }
>()("@countersign/core/webhook/Recorder") {
  static readonly layer: Layer.Layer<Recorder, never, EventStore | Jobs | Subscriptions> = Layer.effect(
    Recorder,
    Effect.gen(function* () {
      const store = yield* EventStore
      const jobs = yield* Jobs
      const subscriptions = yield* Subscriptions
      return Recorder.of({
        record: (events) =>
          Effect.flatMap(subscriptions.jobsFor(events), (work) =>
            jobs.commit(work, { events }, (leased) => store.append(events, leased))
          )
      })
    })
  )
}
