export interface Session {
  /** The verification's id. Your backend uses it as `requestId`. */
  readonly sessionId: string
  /** The channel that the code is sent through first. */
  readonly channel: string
  /** The number of digits of the code. */
  readonly codeLength: number
  /** ISO 8601. */
  readonly expiresAt: string
  /** True when the device is trusted: the session is already verified. Skip the code and send `sessionId` to your backend. */
  readonly oneTapApplied: boolean
}

export interface VerifyResult {
  /** False for a wrong code, which is not an error, and for another number than the verifier's. */
  readonly verified: boolean
  /** Pass it to your backend, which must confirm it before it signs in the user. */
  readonly requestId: string
}

export interface CallOptions {
  /** Stops immediately and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}
