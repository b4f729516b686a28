import { Result, Schema, SchemaIssue } from "effect"
import type { NumberVerifier } from "../../foundation/delivery/NumberVerifier.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"

/** A proof from a number verifier, as the app sent it. Null means absent. */
export interface ProofRequest {
  /** The name of the verifier. */
  readonly verifier: string
  /** The `requestId` of the verification that a backend started. */
  readonly sessionId: string
  /** The proof itself, for the verifier's own schema. */
  readonly proof: object
  /** The `state` that the provider returned, if the app had set it to the `sessionId`. */
  readonly state?: string | null | undefined
  /** What the start of this login returned as `start`. */
  readonly start?: string | null | undefined
}

const refuse = (field: string, problem: string) => Result.fail(new InvalidField({ field, problem }))

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The maximum length of the field path in an error. */
const longestShown = 64

/** Decodes proofs for one verifier, with the checks that need no provider request. */
export const makeCheckProof = ({ payload }: NumberVerifier) => {
  const decode = Schema.decodeUnknownResult(payload)
  return ({ proof, sessionId, state }: ProofRequest): Result.Result<unknown, InvalidField> => {
    const decoded = decode(proof)
    if (Result.isFailure(decoded)) {
      const { message, path = [] } = format(decoded.failure.issue).issues[0]!
      const field = ["proof", ...path.map((each) => String(typeof each === "object" ? each.key : each))].join(".")
      return refuse(field.slice(0, longestShown), message === "Missing key" ? "is required" : message)
    }
    // A proof returned to another login is refused: an attacker may have injected it.
    if (state != null && state !== sessionId) {
      return refuse(
        "state",
        "does not match this sessionId: the proof belongs to another sign-in; start again in the app"
      )
    }
    return Result.succeed(decoded.success)
  }
}
