import type { AuthContext } from "./AuthContext.ts"

/** The fields that failures of a remote and of an embedded Countersign share. */
export interface Failure {
  readonly errorCode: string
  readonly message: string
  readonly retryAfterSeconds?: number | null
  readonly problem?: { readonly field: string } | null
}

/** Whether Countersign refused the call, or could not be reached. Any other error is a defect. */
export const isFailure = (error: unknown): error is Failure =>
  error instanceof Error && typeof (error as Partial<Failure>).errorCode === "string"

interface Answer {
  readonly status: "BAD_REQUEST" | "FORBIDDEN" | "NOT_IMPLEMENTED" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS"
  readonly code: string
  readonly message: string
  readonly retryAfterSeconds?: number | null | undefined
}

const statusCodes = {
  BAD_REQUEST: 400,
  FORBIDDEN: 403,
  NOT_IMPLEMENTED: 501,
  SERVICE_UNAVAILABLE: 503,
  TOO_MANY_REQUESTS: 429
} as const

/**
 * An error that better-auth answers with its status, body and headers. better-auth knows its own `APIError` by this name,
 * so that it works across copies of its packages, and this package needs to load none of them.
 */
export class Refusal extends Error {
  override readonly name = "APIError"
  readonly status: Answer["status"]
  readonly statusCode: number
  readonly body: { readonly code: string; readonly message: string }
  readonly headers: Readonly<Record<string, string>>

  constructor({ code, message, retryAfterSeconds, status }: Answer) {
    super(message)
    this.status = status
    this.statusCode = statusCodes[status]
    this.body = { code, message }
    // The second header is better-auth's own, which its clients read.
    const seconds = retryAfterSeconds == null ? null : String(retryAfterSeconds)
    this.headers = seconds === null ? {} : { "Retry-After": seconds, "X-Retry-After": seconds }
  }
}

const invalid = {
  MOBILE: { status: "BAD_REQUEST", code: "INVALID_PHONE_NUMBER", message: "Invalid phone number" },
  EMAIL: { status: "BAD_REQUEST", code: "INVALID_EMAIL", message: "Invalid email" }
} as const

/** The fixed answers. Their codes are better-auth's own, so that pages written for it need no change. */
const fixed: { readonly [errorCode: string]: Answer } = {
  OTP_EXPIRED: { status: "BAD_REQUEST", code: "OTP_EXPIRED", message: "OTP expired" },
  MAX_ATTEMPTS_EXCEEDED: { status: "FORBIDDEN", code: "TOO_MANY_ATTEMPTS", message: "Too many attempts" }
}

/** What the end user may read of a failure; null for failures that only the operator can repair. */
const answerOf = (failure: Failure, identityType: keyof typeof invalid): Answer | null => {
  const { errorCode, message, problem, retryAfterSeconds } = failure
  if (errorCode === "INVALID_REQUEST")
    return problem?.field === "identity" || message.startsWith("identity:") ? invalid[identityType] : null
  if (errorCode === "RATE_LIMIT_EXCEEDED")
    return { status: "TOO_MANY_REQUESTS", code: errorCode, message, retryAfterSeconds }
  if (errorCode === "FORBIDDEN") return { status: "FORBIDDEN", code: errorCode, message }
  return fixed[errorCode] ?? null
}

/**
 * The error for better-auth to answer. A balance that is used up, wrong keys and an unreachable server are logged for
 * the operator; the end user reads only that verification is not available.
 */
export const refusalOf = (error: unknown, identityType: keyof typeof invalid, { context }: AuthContext): unknown => {
  if (!isFailure(error)) return error
  const answer = answerOf(error, identityType)
  if (answer !== null) return new Refusal(answer)
  context.logger.error(`Countersign: ${error.errorCode}: ${error.message}`)
  return new Refusal({
    status: "SERVICE_UNAVAILABLE",
    code: "VERIFICATION_UNAVAILABLE",
    message: "Verification is not available at the moment. Please try again later",
    retryAfterSeconds: error.retryAfterSeconds
  })
}
