import { Context, type Effect } from "effect"
import type { StoreError } from "../storage/StoreError.ts"
import type { Event, EventType } from "./Event.ts"

export interface EventPage {
  readonly environment: string
  readonly type: EventType | null
  /** Continue after the event of this id. */
  readonly after: string | null
  readonly limit: number
}

/** Reads recorded events. They are written only as part of the change that caused them. */
export class EventStore extends Context.Service<
  EventStore,
  {
    /** One environment's events, newest first. */
    readonly list: (page: EventPage) => Effect.Effect<ReadonlyArray<Event>, StoreError>
  }
>()("@countersign/core/event/EventStore") {}
