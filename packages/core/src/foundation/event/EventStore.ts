import { Context, type Effect } from "effect"
import type { StoreError } from "../storage/StoreError.ts"
import type { Event, EventType } from "./Event.ts"

/** What happened, to read. Events are written with the change that caused them, through the outbox. */
export class EventStore extends Context.Service<
  EventStore,
  {
    /** One environment's events, newest first. */
    readonly list: (page: EventStore.Page) => Effect.Effect<ReadonlyArray<Event>, StoreError>
    /** One event; null when there is none, or it is too old. */
    readonly get: (environment: string, id: string) => Effect.Effect<Event | null, StoreError>
  }
>()("@countersign/core/event/EventStore") {}

export declare namespace EventStore {
  export interface Page {
    readonly environment: string
    readonly type: EventType | null
    /** Continue after the event of this id. */
    readonly after: string | null
    readonly limit: number
  }
}
