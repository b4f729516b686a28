/** What the service asks an app to solve instead of waiting a minute, when a request looks like part of an attack. */
export interface Challenge {
  /** The SDK solves `PROOF_OF_WORK` itself. A newer service may have more kinds. */
  readonly kind: "PROOF_OF_WORK" | "CAPTCHA" | (string & {})
  readonly token: string
  /** How many hashes a proof of work takes on average. */
  readonly difficulty: number
  /** ISO 8601. */
  readonly expiresAt: string
}
