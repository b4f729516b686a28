/** What an environment has to spend. One that was never given any has nothing, and no credit. */
export interface Balance {
  readonly environment: string
  /** The sum of its ledger, in the smallest unit of money. Below zero only by credit. */
  readonly amount: number
  /** How far below zero sends may take it: the operator's decision, and none of the merchant's. */
  readonly creditLimit: number
  /** Whether people were told that it is low. */
  readonly isLow: boolean
  /** Moves when credit or warning change, and with a top-up; not with sends and refunds, which go by the amount alone. */
  readonly version: number
}

/** A balance together with what a day spent by channel: all that deciding on a send takes. */
export interface Funds {
  readonly balance: Balance
  readonly day: string
  readonly spent: { readonly [channel: string]: number }
}

export const emptyBalance = (environment: string): Balance => ({
  environment,
  amount: 0,
  creditLimit: 0,
  isLow: false,
  version: 0
})
