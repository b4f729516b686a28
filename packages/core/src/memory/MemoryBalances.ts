import { type Balance, emptyBalance, type Funds } from "../account/billing/Balance.ts"
import type { BalanceStore } from "../account/billing/BalanceStore.ts"
import { type Booking, isMoney } from "../foundation/outbox/Booking.ts"
import { memoryKey } from "./MemoryKey.ts"

interface Spent {
  readonly environment: string
  readonly day: string
  readonly channel: string
  readonly amount: number
}

const exact = (amount: number): number => {
  if (!isMoney(amount)) throw new RangeError(`${amount} is not a storable amount of money`)
  return amount
}

/** The balances of one memory storage. */
export class MemoryBalances {
  readonly #balances = new Map<string, Balance>()
  readonly #ledgers = new Map<string, Array<BalanceStore.LedgerEntry>>()
  readonly #spent = new Map<string, Spent>()

  /** Returns the step that moves these amounts; null when a balance is too low, or the top-up exists already. */
  prepare(booked: ReadonlyArray<Booking>): (() => void) | null {
    const amounts = new Map<string, number>()
    const spent = new Map<string, Spent>()
    const entries: Array<BalanceStore.LedgerEntry> = []
    for (const { spent: part, ...booking } of [...booked.filter(gives), ...booked.filter((one) => !gives(one))]) {
      const { environment } = booking
      const known = this.balance(environment)
      const amount = exact((amounts.get(environment) ?? known.amount) + exact(booking.amount))
      if (booking.amount < 0 && amount < -known.creditLimit) return null
      if (booking.kind === "TOP_UP" && this.#topUp(environment, booking.reference, entries) !== undefined) return null
      amounts.set(environment, amount)
      const before = entries.filter((entry) => entry.environment === environment).length
      const number = this.ledger(environment).length + before + 1
      entries.push({ ...booking, channel: part?.channel ?? null, number, balance: amount })
      if (part === null) continue
      const { cap, channel, day } = part
      const key = memoryKey(environment, day, channel)
      const total = exact((spent.get(key) ?? this.#spent.get(key))?.amount ?? 0) - booking.amount
      if (booking.amount < 0 && cap !== null && total > exact(cap)) return null
      spent.set(key, { environment, day, channel, amount: exact(total) })
    }
    return () => {
      for (const [environment, amount] of amounts) {
        this.#balances.set(environment, { ...this.balance(environment), amount })
      }
      for (const [key, part] of spent) this.#spent.set(key, part)
      for (const entry of entries) {
        const ledger = this.#ledgers.get(entry.environment)
        if (ledger === undefined) this.#ledgers.set(entry.environment, [entry])
        else ledger.push(entry)
      }
    }
  }

  #topUp(environment: string, reference: string | null, others: ReadonlyArray<BalanceStore.LedgerEntry> = []) {
    return [...this.ledger(environment), ...others].find(
      (one) =>
        one.environment === environment &&
        one.kind === "TOP_UP" &&
        one.reference !== null &&
        one.reference === reference
    )
  }

  balance(environment: string): Balance {
    return this.#balances.get(environment) ?? emptyBalance(environment)
  }

  ledger(environment: string): ReadonlyArray<BalanceStore.LedgerEntry> {
    return this.#ledgers.get(environment) ?? []
  }

  topUp(environment: string, reference: string): BalanceStore.LedgerEntry | null {
    return this.#topUp(environment, reference) ?? null
  }

  funds(environment: string, day: string): Funds {
    const parts = [...this.#spent.values()].filter((one) => one.environment === environment && one.day === day)
    const spent = Object.fromEntries(parts.map(({ amount, channel }) => [channel, amount]))
    return { balance: this.balance(environment), day, spent }
  }

  /** A balance without its amount. */
  save(balance: Balance): void {
    const { amount } = this.balance(balance.environment)
    this.#balances.set(balance.environment, { ...balance, amount, version: balance.version + 1 })
  }
}

const gives = ({ amount }: Booking): boolean => amount >= 0
