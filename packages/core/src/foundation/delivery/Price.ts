/**
 * The price of one message, fixed at the request. A refund returns this amount, even when the settings have changed.
 */
export interface Price {
  /** In the smallest unit of the currency. */
  readonly amount: number
  /** The day whose spending includes it; null when billing is off and nothing is charged. */
  readonly day: string | null
  /** The channel's cap for that day; null for no cap. */
  readonly cap: number | null
}
