import type { Event } from "../event/Event.ts"
import type { Job } from "../outbox/Job.ts"
import type { Instant } from "../time/Instant.ts"
import type { Webhook } from "./Webhook.ts"

/** The work of telling one endpoint of one event. `again` tells apart those that were asked for once more. */
export const deliveryJob = (
  { environment, id }: Pick<Webhook, "environment" | "id">,
  event: Pick<Event, "id">,
  runAt: Instant,
  again?: string
): Job => ({
  key: again === undefined ? `webhook:${id}:${event.id}` : `webhook:${id}:${event.id}:${again}`,
  environment,
  kind: "webhook",
  lane: id,
  payload: { webhookId: id, eventId: event.id },
  runAt
})

/** A range of recorded events that an endpoint is to be told of once more. */
export interface Replay {
  readonly webhookId: string
  readonly since: Instant
  /** Only events before the one of this id; at first, the end of the range. */
  readonly before: string
  /** Leaves out what was tried at this endpoint before, or what got through; null leaves out nothing. */
  readonly leaveOut: "TRIED" | "DELIVERED" | null
  /** What tells this replay's deliveries apart. Null where those that wait already are enough. */
  readonly again: string | null
}

/** The work of going through one page of a replay. */
export const replayJob = (environment: string, replay: Replay, runAt: Instant): Job => ({
  key: `replay:${replay.webhookId}:${replay.again ?? replay.leaveOut}:${replay.before}`,
  environment,
  kind: "replay",
  payload: { ...replay },
  runAt
})

export const replayOf = ({ payload }: Job): Replay => ({
  webhookId: String(payload["webhookId"]),
  since: Number(payload["since"]),
  before: String(payload["before"]),
  leaveOut: payload["leaveOut"] === "TRIED" || payload["leaveOut"] === "DELIVERED" ? payload["leaveOut"] : null,
  again: payload["again"] == null ? null : String(payload["again"])
})
