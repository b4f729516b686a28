const channels: { readonly [channel: string]: string } = {
  SMS: "SMS",
  WHATSAPP: "WhatsApp",
  RCS: "RCS message",
  EMAIL: "e-mail"
}

export const channelName = (channel: string): string => channels[channel.toUpperCase()] ?? "message"

const later = (seconds: number | null) => {
  if (seconds === null) return "later"
  if (seconds < 90) return `in ${seconds} seconds`
  return seconds < 5400 ? `in ${Math.ceil(seconds / 60)} minutes` : `in ${Math.ceil(seconds / 3600)} hours`
}

const unavailable = "The service is not responding. Try again in a minute."

/** The merchant cannot pay for this message. The user cannot fix that. */
const unpaid = "We cannot send codes over this channel at the moment. Choose another one, or try again later."

const explained: {
  readonly [errorCode: string]: string
} = {
  INVALID_CHANNEL: "This channel is not available. Choose another one.",
  FORBIDDEN: "We cannot send codes to this number. Use another number, or your e-mail address.",
  NETWORK_ERROR: "No response. Check your connection and try again.",
  TIMEOUT: "The request timed out. Try again.",
  OTP_EXPIRED: "This code is no longer valid. Send a new one.",
  MAX_ATTEMPTS_EXCEEDED: "Too many wrong codes. Send a new code.",
  TRANSACTION_NOT_FOUND: "This code is no longer valid. Send a new one.",
  NOT_YOURS: "This code is not valid in this browser. Send a new one.",
  NOT_VERIFIED: "The code was not entered in time. Send a new one.",
  USED: "This code was already used. Send a new one.",
  INSUFFICIENT_BALANCE: unpaid,
  INSUFFICIENT_SMS_BALANCE: unpaid,
  INSUFFICIENT_WHATSAPP_BALANCE: unpaid,
  BILLING_NOT_CONFIGURED: unpaid,
  PROVIDER_ERROR: "We cannot send codes at the moment. Try again in a minute.",
  INTERNAL_ERROR: unavailable,
  UNAVAILABLE: unavailable
}

/** Error codes that require a new code. */
const final = new Set([
  "OTP_EXPIRED",
  "MAX_ATTEMPTS_EXCEEDED",
  "TRANSACTION_NOT_FOUND",
  "NOT_YOURS",
  "NOT_VERIFIED",
  "USED"
])

interface Failure {
  readonly errorCode: string
  readonly retryAfterSeconds: number | null
}

/** Both the SDK's errors and our backend's look like this. */
const failureOf = (error: unknown): Failure => {
  if (!(error instanceof Error) || !("errorCode" in error)) return { errorCode: "", retryAfterSeconds: null }
  const seconds = "retryAfterSeconds" in error ? error.retryAfterSeconds : null
  return { errorCode: String(error.errorCode), retryAfterSeconds: typeof seconds === "number" ? seconds : null }
}

export const isFinal = (error: unknown): boolean => final.has(failureOf(error).errorCode)

/** What went wrong, and what to do next. */
export const explain = (error: unknown, way: "phone" | "email"): string => {
  const { errorCode, retryAfterSeconds } = failureOf(error)
  if (errorCode === "RATE_LIMIT_EXCEEDED") return `Too many codes requested. Try again ${later(retryAfterSeconds)}.`
  if (errorCode === "INVALID_REQUEST") {
    return way === "phone"
      ? "This phone number is not valid. Check the number and its country code."
      : "This e-mail address is not valid. Check it for typing errors."
  }
  return explained[errorCode] ?? "Something went wrong. Try again."
}
