import { OutcomeUnknown, type Proof, Refused, Unavailable } from "@countersign/core/channel"
import { field, json, type Reply } from "@countersign/provider-http"
import { Result } from "effect"

type Reason = Refused | Unavailable | OutcomeUnknown

const refused = (providerCode: string) => Result.fail(new Refused({ providerCode }))
const unknownAccount = (providerCode: string) => Result.fail(new Refused({ providerCode, because: "account" }))
const unknown = (providerCode: string) => Result.fail(new OutcomeUnknown({ providerCode }))

/**
 * Whether a refusal is about our account and not about the code. Truecaller answers both with 403 and an undocumented text,
 * so in doubt it is the code, and the user is asked to start again.
 */
const isAboutUs = (body: unknown): boolean => {
  const error = field(body, "error")
  if (error === "invalid_client" || error === "unauthorized_client") return true
  const message = field(body, "message")
  return typeof message === "string" && /\bclient\b/i.test(message) && !/\b(code|verifier|grant)\b/i.test(message)
}

/** The access token of an accepted code. The code is used up from here on. */
export const accessTokenOf = (reply: Reply): Result.Result<string, Reason> => {
  if (reply._tag === "NotReached") return Result.fail(new Unavailable({ providerCode: "not_reached" }))
  if (reply._tag === "Lost") return unknown("no_answer")
  const { retryAfterSeconds, status } = reply
  const body = json(reply)
  const providerCode = `http_${status}`
  if (status === 200) {
    const token = field(body, "access_token")
    return typeof token === "string" && /^[\x21-\x7e]{1,16384}$/.test(token)
      ? Result.succeed(token)
      : unknown("unreadable")
  }
  if (status === 429 || status === 503) {
    return Result.fail(new Unavailable({ providerCode, ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }) }))
  }
  if (status === 400 || status === 403) return isAboutUs(body) ? unknownAccount(providerCode) : refused(providerCode)
  // The answer of a wrong URL, or of an unknown client id.
  return status > 400 && status < 500 ? unknownAccount(providerCode) : unknown(providerCode)
}

/** E.164 digits; null for anything else. Some profiles have the number as a JSON number. */
const digitsOf = (value: unknown): string | null => {
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value
  return typeof text === "string" && /^\+?[1-9]\d{6,14}$/.test(text) ? text.replace("+", "") : null
}

const isMissing = (value: unknown) => value === undefined || value === null || value === ""

/** Reads the number from the profile, and nothing else. */
export const proofOf = (reply: Reply): Result.Result<Proof, Reason> => {
  if (reply._tag !== "Answered") return unknown("no_answer")
  const { status } = reply
  // The user has no profile, so there is no number.
  if (status === 404) return Result.succeed({ phone: null, isVerified: false })
  if (status === 422) return refused("missing_scope")
  if (status !== 200) return unknown(`http_${status}`)
  const body = json(reply)
  if (typeof body !== "object" || body === null || Array.isArray(body)) return unknown("unreadable")
  const given = field(body, "phone_number")
  const phone = digitsOf(given)
  if (phone === null && !isMissing(given)) return unknown("unreadable")
  return Result.succeed({ phone, isVerified: phone !== null && field(body, "phone_number_verified") === true })
}
