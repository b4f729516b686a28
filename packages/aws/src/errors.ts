import { type Because, Refused } from "@countersign/core/channel"
import { type Answered, isBroken, type Outcome, unavailable } from "@countersign/provider-http"

type Meaning = Because | "later" | "open"

/** AWS error names without the suffix `Exception`. Any other error is about the account. */
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
  // Only the number and the text differ between Publish requests, so an invalid parameter is about the recipient.
  ["InvalidParameter", "recipient"],
  ["InvalidParameterValue", "recipient"],
  ["OptedOut", "opted_out"],
  ["MessageRejected", "content"],
  // For e-mail: an invalid address, or a mistake in the request.
  ["BadRequest", "open"]
] as const)

/** The meaning of an AWS error, by its name. Its message is dropped, because it repeats the request. */
export const refusal = (answer: Answered, error: string | undefined): Outcome | undefined => {
  // When AWS or a proxy failed internally, the message may be on its way, whatever the error's name.
  if (answer.status < 400 || isBroken(answer.status)) return undefined
  // `ThrottlingException:http://…`, `ns#BadRequestException`.
  const name = /([A-Za-z]{1,60})(?=:|$)/.exec(error?.replace(/^.*#/, "") ?? "")?.[1]?.replace(/Exception$/, "")
  if (name === undefined) return undefined
  const means = meanings.get(name) ?? (answer.status === 429 ? "limit" : answer.status >= 500 ? "later" : "account")
  if (means === "later") return unavailable(name, answer)
  if (means === "limit") return unavailable(name, answer, means)
  return new Refused({ providerCode: name, ...(means === "open" ? {} : { because: means }) })
}
