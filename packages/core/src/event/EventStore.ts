import { Context, type Effect } from "effect"
import type { NewJob } from "../outbox/Job.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { Event, EventType } from "./Event.ts"

export interface EventPage {
  readonly environment: string
  readonly type: EventType | null
  /** Continue after the event of this id. */
  readonly after: string | null
  readonly limit: number
}

/** What happened. Most events are written as part of the change of a verification that caused them. */
export class EventStore extends Context.Service<
  EventStore,
  {
    /** One environment's events, newest first. */
    readonly list: (page: EventPage) => Effect.Effect<ReadonlyArray<Event>, StoreError>
    /** One event; null when there is none, or it is too old. */
    readonly get: (environment: string, id: string) => Effect.Effect<Event | null, StoreError>
    /** Records what no verification changed with, and the work that it asks for: all of it or nothing. */
    readonly append: (events: ReadonlyArray<Event>, jobs: ReadonlyArray<NewJob>) => Effect.Effect<void, StoreError>
  }
>()("@countersign/core/event/EventStore") {}
