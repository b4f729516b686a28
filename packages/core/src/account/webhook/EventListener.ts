import { Effect } from "effect"
import { type Event, type EventType, envelope } from "../../foundation/event/Event.ts"
import type { EventData } from "../../foundation/event/EventData.ts"
import type { EnvironmentKind } from "../merchant/Merchant.ts"
import { describeCause } from "../../foundation/secret/describeCause.ts"
import { days, type Instant, type Millis, seconds } from "../../foundation/time/Instant.ts"
import { type WebhookAnswer, WebhookUnanswered } from "./WebhookSender.ts"

/** An event as a listener receives it, and as a webhook carries it. */
export type ListenedEvent = {
  readonly [T in EventType]: {
    readonly id: string
    readonly type: T
    /** ISO 8601. */
    readonly createdAt: string
    readonly environment: EnvironmentKind
    readonly data: EventData[T]
  }
}[EventType]

/** Handles an environment's events inside this process. When it fails, the event is delivered again later. */
export type EventListener = (event: ListenedEvent) => Effect.Effect<unknown, unknown>

/**
 * The address of the endpoint that stands for an environment's listeners, in every process. Nothing is sent to this
 * address or signed for it.
 */
export const listenerUrl = "process:onEvent"

/**
 * How long a listener has for an event. The job's lease is longer, so no other process starts the event in that time.
 */
const timeLimit = seconds(20)
/** How long events wait for a process that listens. */
const patience = days(5)

/** When a process without a listener retries the event; null when no process has listened for days. */
export const lookAgainAt = ({ createdAt }: Pick<Event, "createdAt">, now: Instant): Instant | null => {
  const age: Millis = Math.max(0, now - createdAt)
  return age >= patience ? null : now + Math.max(seconds(2), age / 10)
}

const unanswered = (problem: string) => new WebhookUnanswered({ reason: "CONNECTION", problem })

/** Calls a listener once. Logs the name and place of what it throws, and nothing of the event. */
export const tell = (
  listener: EventListener | undefined,
  event: Event,
  kind: EnvironmentKind
): Effect.Effect<WebhookAnswer, WebhookUnanswered> =>
  listener === undefined
    ? Effect.fail(unanswered("this process has no onEvent"))
    : Effect.suspend(() => listener(envelope(event, kind) as ListenedEvent)).pipe(
        Effect.as<WebhookAnswer>({ status: 200, retryAfterSeconds: null, body: "" }),
        Effect.catchCause((cause) =>
          Effect.andThen(
            Effect.logWarning("onEvent failed; it will be called again", {
              ...describeCause(cause),
              event: event.id,
              type: event.type
            }),
            Effect.fail(unanswered("onEvent failed; see the log of the process"))
          )
        ),
        Effect.timeoutOrElse({
          duration: timeLimit,
          orElse: () =>
            Effect.fail(new WebhookUnanswered({ reason: "TIMEOUT", problem: "onEvent took longer than 20 seconds" }))
        })
      )
