import { CountersignError } from "@countersign/sdk/server"
import { problem } from "./answers.ts"
import { InvalidFields } from "./fields.ts"

/** What went wrong, for the page. What only we can mend goes to our own log, and the page learns just that it failed. */
export const refused = (error: unknown): Response => {
  if (error instanceof InvalidFields) return problem(400, "INVALID_REQUEST", error.message)
  if (error instanceof CountersignError && (error.status === 400 || error.status === 429)) {
    return problem(error.status, error.errorCode, error.message, error.retryAfterSeconds ?? undefined)
  }
  console.error("A sign-in could not be served:", error instanceof Error ? error.message : "unknown")
  return problem(502, "UNAVAILABLE", "Codes cannot be sent at the moment. Try again in a minute.")
}
