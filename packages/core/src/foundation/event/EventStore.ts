import { Context, type Effect } from "effect"
import type { StoreError } from "../storage/StoreError.ts"
import type { Event, EventType } from "./Event.ts"

/** Reads events. The outbox writes them with the change that caused them. */
export class EventStore extends Context.Service<
  EventStore,
  {
    /** One environment's events, newest first. */
    readonly list: (page: EventStore.Page) => Effect.Effect<ReadonlyArray<Event>, StoreError>
    /** One event; null when it does not exist or has expired. */
    readonly get: (environment: string, id: string) => Effect.Effect<Event | null, StoreError>
  }
>()("@countersign/core/event/EventStore") {}

export declare namespace EventStore {
  export interface Page {
    readonly environment: string
    readonly type: EventType | null
    /** The id of the last event of the previous page. */
    readonly after: string | null
    readonly limit: number
  }
}
