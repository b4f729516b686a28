/** What one message costs, fixed when it is asked for: whatever becomes of the settings, this is what is given back. */
export interface Price {
  /** In the smallest unit of money. */
  readonly amount: number
  /** The day whose spending it is part of; null where nothing is taken for it, because billing is off. */
  readonly day: string | null
  /** The most that may be spent on the channel that day; null for any amount. */
  readonly cap: number | null
}
