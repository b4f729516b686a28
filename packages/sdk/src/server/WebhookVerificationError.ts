export type WebhookErrorCode =
  /** No signature came along, or not the one that you require. */
  | "SIGNATURE_MISSING"
  /** Signed with another secret, or changed on its way. */
  | "WRONG_SIGNATURE"
  /** Too old or from the future: a replay, or a wrong clock. */
  | "WRONG_TIME"
  /** The secret is not one that the service shows. */
  | "INVALID_SECRET"
  /** The body was parsed before it came here. */
  | "BODY_NOT_RAW"
  /** Signed rightly, but not an event. */
  | "NOT_AN_EVENT"

/** This webhook is not to be believed: answer 400 and do nothing. `errorCode` says why. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError"
  readonly errorCode: WebhookErrorCode

  constructor(errorCode: WebhookErrorCode, message: string) {
    super(message)
    this.errorCode = errorCode
  }
}
