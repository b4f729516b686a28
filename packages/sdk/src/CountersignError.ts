import type { Challenge } from "./Challenge.ts"
import type { ErrorCode } from "./ErrorCode.ts"

/** What is wrong with a field of the request, for a page that words it itself. */
export interface FieldProblem {
  readonly field: string
  /** Stable, such as `TOO_LONG`. A newer service may have more codes. */
  readonly code: string
  /** What the English sentence names, such as `max`. */
  readonly params: { readonly [name: string]: string | number }
}

interface Details {
  readonly status?: number
  readonly requestId?: string | null
  readonly retryAfterSeconds?: number | null
  readonly problem?: FieldProblem | null
  readonly challenge?: Challenge | null
  readonly cause?: unknown
}

/**
 * Every call of this package rejects with this error, unless you aborted it. Branch on `errorCode`; `message` is for people
 * and may change. The error contains no code, token or phone number.
 *
 * @example
 * ```ts
 * import { CountersignError } from "@countersign/sdk"
 *
 * export const explain = (error: unknown) => {
 *   if (!(error instanceof CountersignError)) return "Something went wrong"
 *   if (error.errorCode === "OTP_EXPIRED") return "This code has expired. Ask for a new one."
 *   if (error.retryAfterSeconds !== null) return `Please try again in ${error.retryAfterSeconds} seconds.`
 *   return "Please try again."
 * }
 * ```
 */
export class CountersignError extends Error {
  override readonly name = "CountersignError"
  readonly errorCode: ErrorCode
  /** The HTTP status, or null without an answer. */
  readonly status: number | null
  /** The verification that the failure belongs to, if any. */
  readonly requestId: string | null
  /** How long to wait before a retry, if the service said so. */
  readonly retryAfterSeconds: number | null
  /**
   * The field's problem, when it has a code. A number that the settings or the guard refuse has one too:
   * `GUARD_REFUSED` and `GUARD_DELAYED` name the guard's reason in `params.reason`.
   */
  readonly problem: FieldProblem | null
  /** With `RATE_LIMIT_EXCEEDED`: what could not be solved, when the service asks for a challenge. */
  readonly challenge: Challenge | null

  constructor(errorCode: ErrorCode, message: string, details: Details = {}) {
    super(message, details)
    this.errorCode = errorCode
    this.status = details.status ?? null
    this.requestId = details.requestId ?? null
    this.retryAfterSeconds = details.retryAfterSeconds ?? null
    this.problem = details.problem ?? null
    this.challenge = details.challenge ?? null
  }
}
