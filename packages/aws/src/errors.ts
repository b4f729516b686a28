import { Refused } from "@countersign/core/channel"
import { type Answered, type Outcome, unavailable } from "@countersign/provider-http"

type Meaning = NonNullable<Refused["because"]> | "later" | "open"

/** AWS's names of errors, without `Exception` at their ends. What is not here is the account's matter. */
const meanings: ReadonlyMap<string, Meaning> = new Map([
  ["Throttling", "later"],
  ["Throttled", "later"],
  ["ThrottledException", "later"],
  ["TooManyRequests", "later"],
  ["LimitExceeded", "later"],
  ["RequestLimitExceeded", "later"],
  ["InternalError", "later"],
  ["InternalFailure", "later"],
  ["InternalServiceError", "later"],
  ["ServiceUnavailable", "later"],
  // Of what goes into a Publish only the number and the words differ from message to message.
  ["InvalidParameter", "recipient"],
  ["InvalidParameterValue", "recipient"],
  ["OptedOut", "recipient"],
  ["MessageRejected", "content"],
  // Of a mail: an address that is none, or something of ours.
  ["BadRequest", "open"]
] as const)

const brokenAt: ReadonlySet<number> = new Set([408, 500, 502, 504])

/** What an error means, by AWS's name for it. Its words repeat what was asked, so they go no further. */
export const refusal = (answer: Answered, error: string | undefined): Outcome | undefined => {
  // Broken at AWS, or before it: nobody knows whether it left, whatever it is called, and core knows these by their status.
  if (answer.status < 400 || brokenAt.has(answer.status)) return undefined
  // `ThrottlingException:http://…`, `ns#BadRequestException`.
  const name = /([A-Za-z]{1,60})(?=:|$)/.exec(error?.replace(/^.*#/, "") ?? "")?.[1]?.replace(/Exception$/, "")
  if (name === undefined) return undefined
  const means = meanings.get(name) ?? (answer.status === 429 || answer.status >= 500 ? "later" : "account")
  if (means === "later") return unavailable(name, answer)
  return new Refused({ providerCode: name, ...(means === "open" ? {} : { because: means }) })
}
