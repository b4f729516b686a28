import { Context, type Effect } from "effect"
import type { Booking } from "../../foundation/outbox/Booking.ts"
import { leavesNothing, type Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Balance, Funds } from "./Balance.ts"

/**
 * Balances and their ledgers. It loads and commits; it never decides.
 *
 * The money of sends is not moved here: it travels in `booked` of whatever change makes the send, through whichever
 * store.
 */
export class BalanceStore extends Context.Service<
  BalanceStore,
  {
    /** What there is to spend now, never from a cache; `emptyBalance` for an environment that was given nothing. */
    readonly funds: (environment: string, day: string) => Effect.Effect<Funds, StoreError>
    /**
     * All of it or nothing. `Conflict` when the version moved, when a `TOP_UP` of that reference is there already, or when
     * there is not enough by the credit that was agreed before. Answers the balance, whose amount others may have moved on.
     */
    readonly commit: (change: BalanceStore.Change) => Effect.Effect<Balance, Conflict | StoreError>
    /** The newest first, before a number where one is given. */
    readonly ledger: (
      environment: string,
      page: { readonly before: number | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<BalanceStore.LedgerEntry>, StoreError>
    /** The top-up of that reference; null when there is none. */
    readonly topUp: (
      environment: string,
      reference: string
    ) => Effect.Effect<BalanceStore.LedgerEntry | null, StoreError>
  }
>()("@countersign/core/billing/BalanceStore") {
  static readonly change = (balance: Balance, more: Partial<BalanceStore.Change> = {}): BalanceStore.Change => ({
    ...leavesNothing,
    ...more,
    balance
  })
}

export declare namespace BalanceStore {
  /** One amount that moved, as it stands in the ledger. It never changes. */
  export interface LedgerEntry extends Omit<Booking, "spent"> {
    /** 1 for an environment's first, and one more for each that follows: the order in which the amounts moved. */
    readonly number: number
    readonly channel: string | null
    /** What there was after it. */
    readonly balance: number
  }

  /** What is decided of a balance beside sends: its credit, its warning, and what is paid in. */
  export type Change = Outgoing & {
    /** The next state at the version that was read. `amount` is not written: it moves by `booked` alone. */
    readonly balance: Balance
  }
}
