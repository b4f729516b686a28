import { Result } from "effect"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"

/** Checks that a PKCE verifier has the form of RFC 7636. */
export const checkRequiredCodeVerifier = (codeVerifier: string): Result.Result<string, InvalidField> =>
  /^[A-Za-z0-9._~-]{43,128}$/.test(codeVerifier)
    ? Result.succeed(codeVerifier)
    : Result.fail(
        new InvalidField({ field: "codeVerifier", problem: "must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~" })
      )

/** Like `checkRequiredCodeVerifier`, but returns null for an absent verifier. */
export const checkCodeVerifier = (
  codeVerifier: string | null | undefined
): Result.Result<string | null, InvalidField> =>
  codeVerifier == null ? Result.succeed(null) : checkRequiredCodeVerifier(codeVerifier)
