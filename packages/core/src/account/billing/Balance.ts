/** The money an environment can spend. Without a stored balance, it has no money and no credit. */
export interface Balance {
  readonly environment: string
  /** The sum of its ledger, in the smallest unit of money. Only credit lets it go below zero. */
  readonly amount: number
  /** How far below zero sends may take it. The operator decides this, not the merchant. */
  readonly creditLimit: number
  /** Whether the merchant was warned that the balance is low. */
  readonly isLow: boolean
  /** Increases when credit or warning change, and with a top-up. Sends and refunds change only the amount. */
  readonly version: number
}

/** A balance with today's spending by channel: the whole input of a decision on a send. */
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
