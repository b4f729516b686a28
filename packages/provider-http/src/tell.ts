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

/** What a send may end with. */
export type Outcome = Sent | Refused | Unavailable | OutcomeUnknown

const isSent = (outcome: Outcome): outcome is Sent => !("_tag" in outcome)

/** The provider did not take it and may later, with its own wish, and what that is about. */
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
 * Whether a status says that the provider, or a proxy before it, broke while it worked on the request: the message may be
 * on its way. A 503 is not among them: it refuses the request.
 */
export const isBroken = (status: number): boolean => status === 408 || (status >= 500 && status !== 503)

/**
 * What an answer means by its status alone. A 2xx that says nothing else does not tell whether the provider took the
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
 * Tells core what became of a send. `read` says what an answer means to this provider, and nothing where the status has
 * to do.
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
