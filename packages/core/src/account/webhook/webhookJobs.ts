import { Schema } from "effect"
import type { Event } from "../../foundation/event/Event.ts"
import type { Job } from "../../foundation/outbox/Job.ts"
import * as JobKind from "../../foundation/outbox/JobKind.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"
import type { Webhook } from "./Webhook.ts"

/** The gate that all webhook jobs share. */
export const webhookGate = "webhook"

const Telling = Schema.Struct({ webhookId: Schema.String, eventId: Schema.String })
export type Telling = typeof Telling.Type

/** Delivers an event to an endpoint. A merchant's server may be slow, in every process alike. */
export const webhookKind = JobKind.make("webhook", Telling, { lease: seconds(30), quiet: true })

const Replay = Schema.Struct({
  webhookId: Schema.String,
  since: Schema.Number,
  /** Only events before the event with this id; at first, the end of the range. */
  before: Schema.String,
  /** Leaves out events that were tried at this endpoint before, or that got through; null leaves out nothing. */
  leaveOut: Schema.NullOr(Schema.Literals(["TRIED", "DELIVERED"])),
  /** Distinguishes this replay's deliveries from others. Null where the deliveries that already wait are enough. */
  again: Schema.NullOr(Schema.String),
  /** When the job brought retries forward, which it does once. Jobs of earlier versions lack this field. */
  hastenedAt: Schema.optionalKey(Schema.Number)
})
/** A range of recorded events to deliver to an endpoint again. */
export type Replay = typeof Replay.Type

/** The gate that replays share, so that a merchant who replays to fifty endpoints takes turns with others. */
export const replayGate = "replay"

/** Reads a range page by page. The job is never given up, so an accepted replay always finishes. */
export const replayKind = JobKind.make("replay", Replay, { mostFailures: null, quiet: true })

/** The key of an event's delivery to an endpoint. Replays continue it after a colon. */
export const deliveryKey = ({ id }: Pick<Webhook, "id">, eventId: string): string => `webhook:${id}:${eventId}`

/** The job that delivers an event to an endpoint. `again` identifies the deliveries of a replay. */
export const deliveryJob = (
  webhook: Pick<Webhook, "environment" | "id">,
  event: Pick<Event, "id">,
  runAt: Instant,
  again?: string
): Job =>
  webhookKind.job({
    key: again === undefined ? deliveryKey(webhook, event.id) : `${deliveryKey(webhook, event.id)}:${again}`,
    environment: webhook.environment,
    gate: webhookGate,
    lane: webhook.id,
    payload: { webhookId: webhook.id, eventId: event.id },
    runAt
  })

/** The job that replays a range. */
export const replayJob = (environment: string, replay: Replay, key: string, runAt: Instant): Job =>
  replayKind.job({ key, environment, gate: replayGate, payload: replay, runAt })
