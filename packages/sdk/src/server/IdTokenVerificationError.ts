export type IdTokenErrorCode =
  /** Not a JWT, or without the claims of an idToken. */
  | "MALFORMED"
  /** Not signed with ES256, or another kind of token, such as a session token. */
  | "WRONG_KIND"
  /** Signed with a key that the service does not publish. */
  | "UNKNOWN_KEY"
  | "WRONG_SIGNATURE"
  | "WRONG_ISSUER"
  | "WRONG_AUDIENCE"
  | "EXPIRED"
  /** Issued in the future, so a clock is wrong. */
  | "NOT_YET_VALID"

/** The token is invalid: do not sign in the user. `errorCode` has the reason. */
export class IdTokenVerificationError extends Error {
  override readonly name = "IdTokenVerificationError"
  readonly errorCode: IdTokenErrorCode

  constructor(errorCode: IdTokenErrorCode, message: string) {
    super(message)
    this.errorCode = errorCode
  }
}
