import { Schema } from "effect"
import { type Instant, toIso } from "../time/Instant.ts"
import { EventData } from "./EventData.ts"

/** All event types that the server records. */
export const EventType = Schema.Literals(Object.keys(EventData) as Array<keyof typeof EventData>)
export type EventType = keyof typeof EventData

/**
 * An event, recorded in the same commit as the change that caused it, and never changed afterwards. `data` is exactly
 * the webhook's payload.
 */
export interface EventOf<T extends EventType> {
  readonly id: string
  readonly environment: string
  readonly type: T
  readonly createdAt: Instant
  readonly data: EventData[T]
}

export type Event = { readonly [T in EventType]: EventOf<T> }[EventType]

/** An event as the API and webhooks show it. */
export interface EventEnvelope {
  readonly id: string
  readonly type: EventType
  readonly createdAt: string
  readonly environment: "live" | "test"
  readonly data: Event["data"]
}

export const envelope = ({ createdAt, data, id, type }: Event, environment: "live" | "test"): EventEnvelope => ({
  id,
  type,
  createdAt: toIso(createdAt),
  environment,
  data
})
