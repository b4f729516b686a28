import { Redacted, Result } from "effect"
import type { ProofRequest } from "../delivery/Prover.ts"
import { InvalidField } from "../identity/InvalidField.ts"
import { checkRequiredCodeVerifier } from "../link/checkCodeVerifier.ts"

/** What an app brings back from Truecaller, as it sent it. A null field is an absent one. */
export interface TruecallerRequest {
  /** The `requestId` of the verification that a backend started. */
  readonly sessionId: string
  /** Truecaller's authorisation code. */
  readonly code: string
  /** The PKCE verifier of that code, which only the app has. */
  readonly codeVerifier: string
  /** What Truecaller handed back as `state`, which the app had set to the `sessionId`. */
  readonly state?: string | null | undefined
}

const refuse = (field: string, problem: string) => Result.fail(new InvalidField({ field, problem }))

/** Checks what can be told without asking anybody. */
export const checkTruecaller = ({
  code,
  codeVerifier,
  sessionId,
  state
}: TruecallerRequest): Result.Result<ProofRequest, InvalidField> => {
  if (!/^[\x20-\x7e]{1,2048}$/.test(code)) return refuse("code", "must be 1 to 2048 characters of printable ASCII")
  const verifier = checkRequiredCodeVerifier(codeVerifier)
  if (Result.isFailure(verifier)) return Result.fail(verifier.failure)
  // A code that came back to another login is used for no login: somebody may have put it there.
  if (state != null && state !== sessionId) {
    return refuse("state", "is not this sessionId: the code belongs to another sign-in; start again in the app")
  }
  return Result.succeed({ code: Redacted.make(code), codeVerifier: Redacted.make(verifier.success) })
}
