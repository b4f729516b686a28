import { Result, Schema } from "effect"
import { checkRequiredCodeVerifier } from "./checkCodeVerifier.ts"

const code = Schema.String.check(
  Schema.makeFilter(
    (text: string) => /^[\x20-\x7e]{1,2048}$/.test(text) || "must be 1 to 2048 characters of printable ASCII"
  )
)

const codeVerifier = Schema.String.check(
  Schema.makeFilter((text: string) =>
    Result.match(checkRequiredCodeVerifier(text), { onSuccess: () => true, onFailure: ({ problem }) => problem })
  )
)

/** An app's proof from Truecaller: its authorisation code, valid once, and the matching PKCE verifier. */
export const TruecallerProof = Schema.Struct({
  code: Schema.RedactedFromValue(code),
  codeVerifier: Schema.RedactedFromValue(codeVerifier)
})
export type TruecallerProof = typeof TruecallerProof.Type

/** What to do about a code that Truecaller refuses. */
export const truecallerRefusal =
  "was rejected by Truecaller: a code works once, for a short time, with its own codeVerifier and the scopes openid and phone. Start again in the app to get a new code"
