import {
  type Because,
  ChannelError,
  type ChannelName,
  OutcomeUnknown,
  Refused,
  type Sent,
  Unavailable
} from "@countersign/core/channel"
import { Effect } from "effect"
import type { Answered, Reply } from "./ask.ts"

/** The possible outcomes of a send. */
export type Outcome = Sent | Refused | Unavailable | OutcomeUnknown

const isSent = (outcome: Outcome): outcome is Sent => !("_tag" in outcome)

/** The provider did not accept the message but may later. Includes its `Retry-After` and the subject of the refusal. */
export const unavailable = (
  providerCode: string,
  { retryAfterSeconds }: Pick<Answered, "retryAfterSeconds">,
  because?: Because
): Unavailable =>
  new Unavailable({
    providerCode,
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    ...(because === undefined ? {} : { because })
  })

/**
 * Whether a status means that the provider or a proxy failed while processing the request, so the message may be on its
 * way. A 503 is excluded, because it refuses the request.
 */
export const isBroken = (status: number): boolean => status === 408 || (status >= 500 && status !== 503)

/**
 * The meaning of an answer by its status alone. A 2xx without a known body does not say whether the provider accepted the
 * message.
 */
export const byStatus = (answer: Answered): Outcome => {
  const { status } = answer
  const providerCode = `http_${status}`
  if (isBroken(status)) return new OutcomeUnknown({ providerCode })
  if (status === 429) return unavailable(providerCode, answer, "limit")
  if (status === 503) return unavailable(providerCode, answer)
  if (status >= 300) return new Refused({ providerCode, because: "account" })
  return new OutcomeUnknown({ providerCode: "unreadable" })
}

const outcomeOf = (reply: Reply, read: (answer: Answered) => Outcome | undefined): Outcome => {
  if (reply._tag === "NotReached") return new Unavailable({ providerCode: "not_reached" })
  if (reply._tag === "Lost") return new OutcomeUnknown({ providerCode: "no_answer" })
  return read(reply) ?? byStatus(reply)
}

/**
 * Reports the outcome of a send to core. `read` interprets the provider's answer; when it returns undefined, the status
 * decides.
 *
 * @example
 * ```ts
 * import type { Channel } from "@countersign/core/channel"
 * import { ask, field, json, tell } from "@countersign/provider-http"
 * import { Effect, Redacted } from "effect"
 *
 * const send: Channel["send"] = ({ text, to }) =>
 *   ask({
 *     url: "https://sms.example.com/messages",
 *     headers: { "content-type": "application/json" },
 *     body: JSON.stringify({ to, text: Redacted.value(text) })
 *   }).pipe(
 *     Effect.flatMap((reply) =>
 *       tell("SMS", reply, (answer) => {
 *         const id = field(json(answer), "id")
 *         return answer.status === 201 && typeof id === "string" ? { providerId: id } : undefined
 *       })
 *     )
 *   )
 * ```
 */
export const tell = (
  channel: ChannelName,
  reply: Reply,
  read: (answer: Answered) => Outcome | undefined
): Effect.Effect<Sent, ChannelError> => {
  const outcome = outcomeOf(reply, read)
  return isSent(outcome) ? Effect.succeed(outcome) : Effect.fail(new ChannelError({ channel, reason: outcome }))
}
