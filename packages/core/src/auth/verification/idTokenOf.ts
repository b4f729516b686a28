import type { Effect } from "effect"
import type { Caller } from "../../account/merchant/Caller.ts"
import type { Tokens } from "../../foundation/secret/Tokens.ts"
import type { VerifiedVerification } from "./Verification.ts"

/** Signs the proof of a successful verification for its caller's backend. */
export const idTokenOf = (
  tokens: Tokens["Service"],
  { audience }: Caller,
  { id, identity: { canonical, spelling, type }, verifiedAt }: VerifiedVerification
): Effect.Effect<string> =>
  tokens.sign("id", {
    audience,
    subject: id,
    more: {
      auth_time: Math.floor(verifiedAt / 1000),
      identity: spelling,
      identityType: type,
      ...(type === "MOBILE"
        ? { phone_number: `+${canonical}`, phone_number_verified: true }
        : { email: spelling, email_verified: true })
    }
  })
