import { Context, type Effect } from "effect"
import type { Event } from "../event/Event.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { Job } from "./Job.ts"

/** Those who want to hear of events. Whoever they are, they are told by jobs that are committed with the events. */
export class Subscribers extends Context.Service<
  Subscribers,
  {
    /** The work of telling everybody who wants to hear of these events. Asked on every change: it answers from memory. */
    readonly jobsFor: (events: ReadonlyArray<Event>) => Effect.Effect<ReadonlyArray<Job>, StoreError>
  }
>()("@countersign/core/outbox/Subscribers") {}
