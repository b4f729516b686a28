import { Schema } from "effect"
import { type Instant, toIso } from "../time/Instant.ts"
import { EventData } from "./EventData.ts"

/** Every event the service can record. */
export const EventType = Schema.Literals(Object.keys(EventData) as Array<keyof typeof EventData>)
export type EventType = keyof typeof EventData

/**
 * Something that happened, recorded in the same commit as the change that caused it. It is never changed afterwards;
 * `data` is exactly what a webhook will carry.
 */
export interface EventOf<T extends EventType> {
  readonly id: string
  readonly environment: string
  readonly type: T
  readonly createdAt: Instant
  readonly data: EventData[T]
}

export type Event = { readonly [T in EventType]: EventOf<T> }[EventType]

/** An event as it is listed, and as it is sent. */
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
