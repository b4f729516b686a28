import { Schema } from "effect"
import type { Event } from "../../foundation/event/Event.ts"
import type { Job } from "../../foundation/outbox/Job.ts"
import * as JobKind from "../../foundation/outbox/JobKind.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"
import type { Webhook } from "./Webhook.ts"

/** What all webhooks pass. */
export const webhookGate = "webhook"

const Telling = Schema.Struct({ webhookId: Schema.String, eventId: Schema.String })
export type Telling = typeof Telling.Type

/** Tells one endpoint of one event. Somebody else's server takes its time, in every process alike. */
export const webhookKind = JobKind.make("webhook", Telling, { lease: seconds(30), quiet: true })

const Replay = Schema.Struct({
  webhookId: Schema.String,
  since: Schema.Number,
  /** Only events before the one of this id; at first, the end of the range. */
  before: Schema.String,
  /** Leaves out what was tried at this endpoint before, or what got through; null leaves out nothing. */
  leaveOut: Schema.NullOr(Schema.Literals(["TRIED", "DELIVERED"])),
  /** What tells this replay's deliveries apart. Null where those that wait already are enough. */
  again: Schema.NullOr(Schema.String),
  /** When it brought forward what waits for a retry, which it does once. Earlier versions do not know it. */
  hastenedAt: Schema.optionalKey(Schema.Number)
})
/** A range of recorded events that an endpoint is to be told of once more. */
export type Replay = typeof Replay.Type

/** What replays pass, so that a merchant who replays to fifty endpoints takes turns with others. */
export const replayGate = "replay"

/** Goes through a range page by page. It is never put aside, so that a replay that was accepted comes to its end. */
export const replayKind = JobKind.make("replay", Replay, { mostFailures: null, quiet: true })

/** The work of telling one endpoint of one event. `again` tells apart those that were asked for once more. */
export const deliveryJob = (
  { environment, id }: Pick<Webhook, "environment" | "id">,
  event: Pick<Event, "id">,
  runAt: Instant,
  again?: string
): Job =>
  webhookKind.job({
    key: again === undefined ? `webhook:${id}:${event.id}` : `webhook:${id}:${event.id}:${again}`,
    environment,
    gate: webhookGate,
    lane: id,
    payload: { webhookId: id, eventId: event.id },
    runAt
  })

/** The work of going through a range. */
export const replayJob = (environment: string, replay: Replay, key: string, runAt: Instant): Job =>
  replayKind.job({ key, environment, gate: replayGate, payload: replay, runAt })
