import { Context, type Effect } from "effect"
import type { Event } from "../event/Event.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { Job } from "./Job.ts"

/** The subscribers to events, such as webhooks. Jobs notify them, committed together with the events. */
export class Subscribers extends Context.Service<
  Subscribers,
  {
    /** The jobs that notify every subscriber of these events. Every change calls this, so it answers from memory. */
    readonly jobsFor: (events: ReadonlyArray<Event>) => Effect.Effect<ReadonlyArray<Job>, StoreError>
  }
>()("@countersign/core/outbox/Subscribers") {}
