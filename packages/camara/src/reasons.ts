import { OutcomeUnknown, Refused, Unavailable } from "@countersign/core/channel"
import { type Answered, field, json, type Reply, isBroken, unavailable } from "@countersign/provider-http"

/** Why a request to an operator told nothing. */
export type Reason = Refused | Unavailable | OutcomeUnknown

/** The codes of CAMARA and OAuth that may appear in an error. Other words of an answer may be about a person. */
const codes = new Set([
  // CAMARA
  "INVALID_ARGUMENT",
  "OUT_OF_RANGE",
  "UNAUTHENTICATED",
  "PERMISSION_DENIED",
  "INVALID_TOKEN_CONTEXT",
  "NOT_FOUND",
  "IDENTIFIER_NOT_FOUND",
  "MISSING_IDENTIFIER",
  "UNNECESSARY_IDENTIFIER",
  "UNSUPPORTED_IDENTIFIER",
  "MISSING_PHONE_NUMBER",
  "UNNECESSARY_PHONE_NUMBER",
  "NOT_SUPPORTED",
  "SERVICE_NOT_APPLICABLE",
  "QUOTA_EXCEEDED",
  "TOO_MANY_REQUESTS",
  "UNAVAILABLE",
  "INTERNAL",
  // OAuth
  "invalid_client",
  "invalid_grant",
  "invalid_request",
  "invalid_scope",
  "unauthorized_client",
  "unsupported_grant_type"
])

/** The operator's code if it is a standard one, otherwise null. */
export const codeOf = (answer: Answered): string | null => {
  const body = json(answer)
  const code = field(body, "code") ?? field(body, "error")
  return typeof code === "string" && codes.has(code) ? code : null
}

/** Why a request got no answer. */
export const unanswered = (reply: Exclude<Reply, Answered>): Reason =>
  reply._tag === "NotReached"
    ? new Unavailable({ providerCode: "not_reached" })
    : new OutcomeUnknown({ providerCode: "no_answer" })

export const unreadable: Reason = new OutcomeUnknown({ providerCode: "unreadable" })

/** The meaning of an answer that is not 200. Credentials, scopes, addresses and wrong requests concern the account. */
export const refusal = (answer: Answered): Reason => {
  const { status } = answer
  const providerCode = codeOf(answer) ?? `http_${status}`
  if (status === 429) return unavailable(providerCode, answer, "limit")
  if (status === 503) return unavailable(providerCode, answer)
  if (status < 300 || status > 599 || isBroken(status)) return new OutcomeUnknown({ providerCode })
  return new Refused({ providerCode, because: "account" })
}
