import type { EventType } from "../event/Event.ts"
import { days, hours, type Instant, type Millis, minutes, seconds } from "../time/Instant.ts"
import { disabled, type DisabledReason, type Webhook } from "./Webhook.ts"
import type { WebhookAnswer, WebhookUnanswered } from "./WebhookSender.ts"

/** A delivery that `FAILED` is tried again; a `DEAD` one is not, unless somebody asks for it. */
export type AttemptStatus = "DELIVERED" | "FAILED" | "DEAD"

/** One try to deliver one event to one endpoint, as the merchant sees it. */
export interface WebhookAttempt {
  readonly id: string
  readonly environment: string
  readonly webhookId: string
  readonly eventId: string
  readonly eventType: EventType
  readonly attempt: number
  readonly status: AttemptStatus
  readonly url: string
  /** The time that was signed. */
  readonly createdAt: Instant
  readonly durationMs: Millis
  readonly responseStatus: number | null
  /** The beginning of the answer's body. */
  readonly responseBody: string | null
  /** Why there was no answer. */
  readonly error: string | null
  readonly nextAttemptAt: Instant | null
}

/** After which time a delivery that failed is tried again; when there is no more, it is dead. */
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
/** A receiver may ask for more time, but not for ever. */
const longestWish = hours(24)
/** An endpoint that nothing reached for so long is switched off. */
const patience = days(5)

/** What came of a try: an answer, or the reason why there was none. */
export type Response = WebhookAnswer | WebhookUnanswered

const isAnswer = (response: Response): response is WebhookAnswer => "status" in response

const succeeded = (response: Response) => isAnswer(response) && response.status >= 200 && response.status < 300

export interface Judgement {
  readonly status: AttemptStatus
  readonly nextAttemptAt: Instant | null
  /** The endpoint's next state; null when it stays as it is. */
  readonly webhook: Webhook | null
  /** Set when the endpoint is switched off by this. */
  readonly disabled: Exclude<DisabledReason, "MERCHANT"> | null
}

const retryAt = (response: Response, attempt: number | null, chance: number, now: Instant): Instant | null => {
  const wait = attempt === null ? undefined : schedule[attempt - 1]
  if (wait === undefined) return null
  const spread = wait * (1 + jitter * (2 * chance - 1))
  const wish = isAnswer(response) ? Math.min(seconds(response.retryAfterSeconds ?? 0), longestWish) : 0
  return Math.ceil(now + Math.max(spread, wish))
}

/**
 * What a response to a try means. `attempt` counts from 1; it is null for a try that somebody made by hand, which is
 * not repeated by itself. `chance`, from 0 to 1, spreads the retries of many deliveries that failed together.
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
      webhook: webhook.failingSince === null ? null : { ...webhook, failingSince: null },
      disabled: null
    }
  }
  const failing = webhook.failingSince === null ? { ...webhook, failingSince: now } : webhook
  const reason =
    isAnswer(response) && response.status === 410
      ? "GONE"
      : now - (failing.failingSince ?? now) >= patience
        ? "FAILING"
        : null
  if (reason !== null && webhook.status === "ACTIVE") {
    return { status: "DEAD", nextAttemptAt: null, webhook: disabled(failing, reason), disabled: reason }
  }
  const nextAttemptAt = reason === null ? retryAt(response, attempt, chance, now) : null
  return {
    status: nextAttemptAt === null && attempt !== null ? "DEAD" : "FAILED",
    nextAttemptAt,
    webhook: failing === webhook ? null : failing,
    disabled: null
  }
}
