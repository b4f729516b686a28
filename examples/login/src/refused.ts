import { CountersignError } from "@countersign/sdk/server"
import { problem } from "./answers.ts"
import { InvalidFields } from "./fields.ts"

/** The error for the page. Errors that only the operator can fix are logged, and the page gets a general one. */
export const refused = (error: unknown): Response => {
  if (error instanceof InvalidFields) return problem(400, "INVALID_REQUEST", error.message)
  if (error instanceof CountersignError && (error.status === 400 || error.status === 429)) {
    return problem(error.status, error.errorCode, error.message, error.retryAfterSeconds ?? undefined)
  }
  console.error("A sign-in could not be served:", error instanceof Error ? error.message : "unknown")
  return problem(502, "UNAVAILABLE", "Codes cannot be sent at the moment. Try again in a minute.")
}
