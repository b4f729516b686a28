import { Schema } from "effect"

const token = Schema.String.check(
  Schema.makeFilter(
    (text: string) => /^[\x21-\x7e]{1,8192}$/.test(text) || "must be 1 to 8192 characters of printable ASCII"
  )
)

/** An app's proof from Firebase: the token of its phone number verification. */
export const FirebaseProof = Schema.Struct({ token: Schema.RedactedFromValue(token) })
export type FirebaseProof = typeof FirebaseProof.Type

/** What to do about a token that is refused. */
export const firebaseRefusal =
  "was rejected: a token of Firebase's phone number verification works once, for one sign-in, and only from an app of the configured project. Call getVerifiedPhoneNumber() again to get a new token"
