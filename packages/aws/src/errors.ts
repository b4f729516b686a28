import { type Because, Refused } from "@countersign/core/channel"
import { type Answered, isBroken, type Outcome, unavailable } from "@countersign/provider-http"

type Meaning = Because | "later" | "open"

/** AWS's names of errors, without `Exception` at their ends. What is not here is the account's matter. */
const meanings: ReadonlyMap<string, Meaning> = new Map([
  ["Throttling", "limit"],
  ["Throttled", "limit"],
  ["ThrottledException", "limit"],
  ["TooManyRequests", "limit"],
  ["LimitExceeded", "limit"],
  ["RequestLimitExceeded", "limit"],
  ["InternalError", "later"],
  ["InternalFailure", "later"],
  ["InternalServiceError", "later"],
  ["ServiceUnavailable", "later"],
  // Of what goes into a Publish only the number and the words differ from message to message.
  ["InvalidParameter", "recipient"],
  ["InvalidParameterValue", "recipient"],
  ["OptedOut", "opted_out"],
  ["MessageRejected", "content"],
  // Of a mail: an address that is none, or something of ours.
  ["BadRequest", "open"]
] as const)

/** What an error means, by AWS's name for it. Its words repeat what was asked, so they go no further. */
export const refusal = (answer: Answered, error: string | undefined): Outcome | undefined => {
  // Where AWS or a proxy broke, the message may be on its way, whatever the error is called.
  if (answer.status < 400 || isBroken(answer.status)) return undefined
  // `ThrottlingException:http://…`, `ns#BadRequestException`.
  const name = /([A-Za-z]{1,60})(?=:|$)/.exec(error?.replace(/^.*#/, "") ?? "")?.[1]?.replace(/Exception$/, "")
  if (name === undefined) return undefined
  const means = meanings.get(name) ?? (answer.status === 429 ? "limit" : answer.status >= 500 ? "later" : "account")
  if (means === "later") return unavailable(name, answer)
  if (means === "limit") return unavailable(name, answer, means)
  return new Refused({ providerCode: name, ...(means === "open" ? {} : { because: means }) })
}
