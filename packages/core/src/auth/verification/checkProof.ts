import { Result, Schema, SchemaIssue } from "effect"
import type { NumberVerifier } from "../../foundation/delivery/NumberVerifier.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"

/** What an app brings back from a number verifier, as it sent it. A null field is an absent one. */
export interface ProofRequest {
  /** The name of the verifier. */
  readonly verifier: string
  /** The `requestId` of the verification that a backend started. */
  readonly sessionId: string
  /** What the verifier's own schema reads. */
  readonly proof: object
  /** What the provider handed back as `state`, where the app had set it to the `sessionId`. */
  readonly state?: string | null | undefined
}

const refuse = (field: string, problem: string) => Result.fail(new InvalidField({ field, problem }))

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Of the path to what is wrong. */
const longestShown = 64

/** Reads proofs for one verifier: what can be told without asking anybody. */
export const makeCheckProof = ({ payload }: NumberVerifier) => {
  const decode = Schema.decodeUnknownResult(payload)
  return ({ proof, sessionId, state }: ProofRequest): Result.Result<unknown, InvalidField> => {
    const decoded = decode(proof)
    if (Result.isFailure(decoded)) {
      const { message, path = [] } = format(decoded.failure.issue).issues[0]!
      const field = ["proof", ...path.map((each) => String(typeof each === "object" ? each.key : each))].join(".")
      return refuse(field.slice(0, longestShown), message === "Missing key" ? "is required" : message)
    }
    // A proof that came back to another login is used for no login: somebody may have put it there.
    if (state != null && state !== sessionId) {
      return refuse("state", "is not this sessionId: the proof belongs to another sign-in; start again in the app")
    }
    return Result.succeed(decoded.success)
  }
}
