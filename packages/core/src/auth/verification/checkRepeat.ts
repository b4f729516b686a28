import { Result } from "effect"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { CheckedRequest } from "./InitiateRequest.ts"
import { loginKeyOf } from "./loginKey.ts"
import type { Verification } from "./Verification.ts"
import { UnknownVerification } from "./VerificationError.ts"

/**
 * Whether a request may send again the verification that it names. It must be the same login: a link that returned to
 * another browser, or with another `state`, would sign in the wrong one. A trial of the dashboard is not a backend's.
 */
export const checkRepeat = (
  request: CheckedRequest,
  named: Verification
): Result.Result<void, InvalidField | UnknownVerification> => {
  if (named.trial !== undefined && request.trial === undefined) return Result.fail(new UnknownVerification())
  const login = loginKeyOf(request.flow, { ...request, id: named.id, orderId: named.orderId })
  return named.mode === request.flow.mode && login === loginKeyOf(named, named)
    ? Result.void
    : Result.fail(
        new InvalidField({
          field: "requestId",
          problem: "names a login with another mode, channel, redirectUri, state or codeChallenge; send the same ones"
        })
      )
}
