import { days, hours, type Instant, type Millis, minutes, seconds } from "../../foundation/time/Instant.ts"
import { disabled, type DisabledReason, type Webhook } from "./Webhook.ts"
import type { AttemptStatus } from "./WebhookAttempt.ts"
import type { WebhookAnswer, WebhookUnanswered } from "./WebhookSender.ts"

/** The delays before each retry. After the last one the delivery is dead. */
const schedule: ReadonlyArray<Millis> = [
  seconds(5),
  minutes(5),
  minutes(30),
  hours(2),
  hours(5),
  hours(10),
  hours(14),
  hours(20),
  hours(24)
]
const jitter = 0.1
/** The longest delay that a receiver may ask for. */
const longestWish = hours(24)
/** An endpoint is disabled after this many failures in a row over this long a time. */
const patience = days(5)
const leastFailures = 10

/** The result of a try: a response, or the reason for a missing response. */
export type Response = WebhookAnswer | WebhookUnanswered

const isAnswer = (response: Response): response is WebhookAnswer => "status" in response

const succeeded = (response: Response) => isAnswer(response) && response.status >= 200 && response.status < 300

export interface Judgement {
  readonly status: AttemptStatus
  readonly nextAttemptAt: Instant | null
  /** The endpoint's next state; null when it stays as it is. */
  readonly webhook: Webhook | null
  /** Set when this try disables the endpoint. */
  readonly disabled: Exclude<DisabledReason, "MERCHANT"> | null
}

/**
 * Counts one more failure. Beyond the threshold nothing is written: a busy endpoint that is down changes ten times, not
 * on each try.
 */
const failedOnceMore = (webhook: Webhook, now: Instant): Webhook =>
  webhook.failingSince !== null && webhook.failures >= leastFailures
    ? webhook
    : { ...webhook, failingSince: webhook.failingSince ?? now, failures: webhook.failures + 1 }

/** Starts a run of failures with this one. */
export const beginningAnew = (webhook: Webhook): Webhook => ({ ...webhook, failingSince: null, failures: 0 })

const retryAt = (response: Response, attempt: number | null, chance: number, now: Instant): Instant | null => {
  const wait = attempt === null ? undefined : schedule[attempt - 1]
  if (wait === undefined) return null
  const spread = wait * (1 + jitter * (2 * chance - 1))
  const wish = isAnswer(response) ? Math.min(seconds(response.retryAfterSeconds ?? 0), longestWish) : 0
  return Math.ceil(now + Math.max(spread, wish))
}

/**
 * Decides what a response to a try means. `attempt` counts from 1; it is null for a manual try. A manual try is not
 * retried and does not count as a failure, not even with 410: the user who made it sees the response. A manual try that
 * gets through counts as a success like any other. `chance`, from 0 to 1, spreads the retries of many deliveries that
 * failed together.
 */
export const judge = (
  webhook: Webhook,
  response: Response,
  attempt: number | null,
  chance: number,
  now: Instant
): Judgement => {
  if (succeeded(response)) {
    return {
      status: "DELIVERED",
      nextAttemptAt: null,
      webhook: webhook.failingSince === null ? null : beginningAnew(webhook),
      disabled: null
    }
  }
  if (attempt === null) return { status: "FAILED", nextAttemptAt: null, webhook: null, disabled: null }
  // It was disabled while this try was in flight.
  if (webhook.status !== "ACTIVE") return { status: "DEAD", nextAttemptAt: null, webhook: null, disabled: null }
  const failing = failedOnceMore(webhook, now)
  const gone = isAnswer(response) && response.status === 410
  const hopeless = failing.failures >= leastFailures && now - (failing.failingSince ?? now) >= patience
  if (gone || hopeless) {
    const reason = gone ? "GONE" : "FAILING"
    return { status: "DEAD", nextAttemptAt: null, webhook: disabled(failing, reason), disabled: reason }
  }
  const nextAttemptAt = retryAt(response, attempt, chance, now)
  return {
    status: nextAttemptAt === null ? "DEAD" : "FAILED",
    nextAttemptAt,
    webhook: failing === webhook ? null : failing,
    disabled: null
  }
}
