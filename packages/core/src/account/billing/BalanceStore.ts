import { Context, type Effect } from "effect"
import type { Booking } from "../../foundation/outbox/Booking.ts"
import { noRecords, type Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Balance, Funds } from "./Balance.ts"

/**
 * Loads and commits balances and their ledgers; it decides nothing.
 *
 * Sends do not move money through this store. Their amounts travel in `booked` of the change that creates the send,
 * through any store.
 */
export class BalanceStore extends Context.Service<
  BalanceStore,
  {
    /** Returns the current balance, never from a cache; `emptyBalance` when nothing is stored. */
    readonly funds: (environment: string, day: string) => Effect.Effect<Funds, StoreError>
    /**
     * Commits all of it or nothing. Fails with `Conflict` when the version moved, when a `TOP_UP` with that reference
     * exists, or when the previously agreed credit does not cover it. Returns the balance; concurrent sends may have
     * moved its amount.
     */
    readonly commit: (change: BalanceStore.Change) => Effect.Effect<Balance, Conflict | StoreError>
    /** Newest first; with a number, only entries before it. */
    readonly ledger: (
      environment: string,
      page: { readonly before: number | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<BalanceStore.LedgerEntry>, StoreError>
    /** Returns the top-up with this reference, or null. */
    readonly topUp: (
      environment: string,
      reference: string
    ) => Effect.Effect<BalanceStore.LedgerEntry | null, StoreError>
  }
>()("@countersign/core/billing/BalanceStore") {
  static readonly change = (balance: Balance, more: Partial<BalanceStore.Change> = {}): BalanceStore.Change => ({
    ...noRecords,
    ...more,
    balance
  })
}

export declare namespace BalanceStore {
  /** A ledger entry: one moved amount. It never changes. */
  export interface LedgerEntry extends Omit<Booking, "spent"> {
    /** 1 for an environment's first entry, then counting up, in the order in which amounts moved. */
    readonly number: number
    readonly channel: string | null
    /** The balance after this entry. */
    readonly balance: number
  }

  /** A change of a balance other than by sends: its credit, its warning, top-ups and corrections. */
  export type Change = Outgoing & {
    /** The next state at the version that was read. `amount` is not written: only `booked` moves it. */
    readonly balance: Balance
  }
}
