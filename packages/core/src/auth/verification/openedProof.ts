import { Schema } from "effect"

const answer = Schema.String.check(
  Schema.makeFilter(
    (text: string) => /^[\x20-\x7e\t\r\n]{1,8192}$/.test(text) || "must be 1 to 8192 characters of printable ASCII"
  )
)

/**
 * An app's proof from a verifier with a start: what the opened address answered, unchanged. It is the body of the
 * answer, or the address of the redirect on which the app stopped.
 */
export const OpenedProof = Schema.Struct({ answer: Schema.RedactedFromValue(answer) })
export type OpenedProof = typeof OpenedProof.Type
