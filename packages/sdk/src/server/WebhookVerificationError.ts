export type WebhookErrorCode =
  /** The signature is missing, or not of the kind that you require. */
  | "SIGNATURE_MISSING"
  /** Signed with another secret, or changed in transit. */
  | "WRONG_SIGNATURE"
  /** Too old or from the future: a replay, or a wrong clock. */
  | "WRONG_TIME"
  /** The secret does not have the format of a webhook secret. */
  | "INVALID_SECRET"
  /** The body was already parsed. */
  | "BODY_NOT_RAW"
  /** Correctly signed, but not an event. */
  | "NOT_AN_EVENT"

/** The webhook cannot be trusted: answer 400 and do nothing. `errorCode` has the reason. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError"
  readonly errorCode: WebhookErrorCode

  constructor(errorCode: WebhookErrorCode, message: string) {
    super(message)
    this.errorCode = errorCode
  }
}
