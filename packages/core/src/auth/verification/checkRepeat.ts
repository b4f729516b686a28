import { Result } from "effect"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { CheckedRequest } from "./InitiateRequest.ts"
import { loginKeyOf } from "./loginKey.ts"
import type { Verification } from "./Verification.ts"
import { UnknownVerification } from "./VerificationError.ts"

/**
 * Checks that a request may send the named verification again. It must be the same login: a link that returned to
 * another browser, or with another `state`, would sign in the wrong one. A backend cannot resend a dashboard trial.
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
          problem:
            "belongs to a login with another mode, channel, redirectUri, state or codeChallenge; send the same values"
        })
      )
}
