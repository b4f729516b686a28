export type IdTokenErrorCode =
  /** Not a JWT, or without the claims of an idToken. */
  | "MALFORMED"
  /** Not signed with ES256, or not an idToken: a session token is none. */
  | "WRONG_KIND"
  /** Signed with a key that the service does not publish. */
  | "UNKNOWN_KEY"
  | "WRONG_SIGNATURE"
  | "WRONG_ISSUER"
  | "WRONG_AUDIENCE"
  | "EXPIRED"
  /** Issued in the future: a clock is wrong. */
  | "NOT_YET_VALID"

/** The token proves nothing: sign nobody in. `errorCode` says why. */
export class IdTokenVerificationError extends Error {
  override readonly name = "IdTokenVerificationError"
  readonly errorCode: IdTokenErrorCode

  constructor(errorCode: IdTokenErrorCode, message: string) {
    super(message)
    this.errorCode = errorCode
  }
}
