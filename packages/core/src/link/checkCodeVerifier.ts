import { Result } from "effect"
import { InvalidField } from "../identity/InvalidField.ts"

/** A PKCE verifier in the form of RFC 7636; null when there is none. */
export const checkCodeVerifier = (
  codeVerifier: string | null | undefined
): Result.Result<string | null, InvalidField> =>
  codeVerifier == null || /^[A-Za-z0-9._~-]{43,128}$/.test(codeVerifier)
    ? Result.succeed(codeVerifier ?? null)
    : Result.fail(
        new InvalidField({ field: "codeVerifier", problem: "must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~" })
      )
