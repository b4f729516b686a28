import type { Instant } from "../../foundation/time/Instant.ts"
import type { Webhook } from "./Webhook.ts"
import type { WebhookAttempt } from "./WebhookAttempt.ts"

/** Events that an endpoint has not received. */
export interface Backlog {
  /** How many events wait for a retry. */
  readonly pending: number
  /** How many events failed and are not retried, counted over the latest failed tries. */
  readonly givenUp: number
  /** Whether there are more events than were counted. */
  readonly more: boolean
  /** The first counted failure of the events that wait; null when none waits. */
  readonly pendingSince: Instant | null
}

/**
 * - `NO_EVENT_YET`: nothing was sent in the time that the log covers.
 * - `WORKS`: the last try got through, and no event is missing.
 * - `WAITING`: the endpoint answers, and events wait for their retry.
 * - `NOT_DELIVERED`: the endpoint answers, and events are missing that are not retried.
 * - `FAILING`: no try got through since `since`.
 * - `DISABLED`: nothing is sent.
 */
export const HealthCode = ["NO_EVENT_YET", "WORKS", "WAITING", "NOT_DELIVERED", "FAILING", "DISABLED"] as const
export type HealthCode = (typeof HealthCode)[number]

export interface EndpointHealth {
  readonly health: HealthCode
  /** Since when it fails, or since when events wait. */
  readonly since: Instant | null
}

/** Whether a try failed that was made by hand. An endpoint does not count those. */
const failedByHand = ({ nextAttemptAt, status }: WebhookAttempt) => status === "FAILED" && nextAttemptAt === null

/** Decides how an endpoint is doing, from its state, its missing events and its last try. */
export const endpointHealth = (
  { failingSince, status }: Pick<Webhook, "failingSince" | "status">,
  { givenUp, pending, pendingSince }: Backlog,
  last: WebhookAttempt | null
): EndpointHealth => {
  if (status === "DISABLED") return { health: "DISABLED", since: null }
  if (failingSince !== null) return { health: "FAILING", since: failingSince }
  if (last !== null && failedByHand(last)) return { health: "FAILING", since: last.createdAt }
  if (pending > 0) return { health: "WAITING", since: pendingSince }
  if (givenUp > 0) return { health: "NOT_DELIVERED", since: null }
  return { health: last === null ? "NO_EVENT_YET" : "WORKS", since: null }
}
