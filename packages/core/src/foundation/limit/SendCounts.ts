import { AgingMap } from "../time/AgingMap.ts"
import { hours, type Instant } from "../time/Instant.ts"
import { placesOfNumber } from "../guard/placesOfNumber.ts"
import { addTaken, empty, giveBack, newestOf, take, type Window } from "./Window.ts"

/** The budgets of an environment: messages to phone numbers in any 60 minutes. Null is off. */
export interface SendBudgets {
  readonly hourlyLimitPerPrefix: number | null
  readonly hourlyLimitPerCountry: number | null
  readonly hourlyLimitPerMerchant: number | null
}

export type SendBudget = keyof SendBudgets

/** A counted message, or the budget that leaves no room for it. */
export type CountedSend =
  | { readonly _tag: "Counted"; readonly giveBack: () => void }
  | { readonly _tag: "Full"; readonly budget: SendBudget; readonly retryAt: Instant }

/** The most keys of an environment. Beyond it, the one that was used least recently is dropped. */
const mostKeys = 10_000

/** The answer for a message that no budget counts. */
export const uncounted: CountedSend = { _tag: "Counted", giveBack: () => {} }

export const hasBudgets = (budgets: Partial<SendBudgets>): boolean =>
  (budgets.hourlyLimitPerPrefix ?? budgets.hourlyLimitPerCountry ?? budgets.hourlyLimitPerMerchant ?? null) !== null

/**
 * Counts the messages of one environment in the memory of this process, by prefix, by country and in total. One process
 * never exceeds a budget. It learns of the messages of other processes later, so together they can exceed it.
 */
export class SendCounts {
  /** The oldest is the key that was used least recently. */
  readonly #windows = new AgingMap<Window>()
  /** Messages of this process that a report may name again. */
  readonly #own = new AgingMap<Instant>()

  #keysOf(number: string): { readonly [B in SendBudget]: string } {
    const { country, prefix } = placesOfNumber(number)
    return {
      hourlyLimitPerPrefix: `n${prefix ?? number}`,
      hourlyLimitPerCountry: `c${country}`,
      hourlyLimitPerMerchant: ""
    }
  }

  #windowOf(key: string): Window {
    return this.#windows.get(key) ?? empty("", key)
  }

  #put(window: Window, now: Instant): void {
    this.#windows.set(window.key, window)
    for (let oldest = this.#windows.oldest; oldest !== null; oldest = this.#windows.oldest) {
      if (this.#windows.size <= mostKeys && now - newestOf(oldest.value) < hours(2)) break
      this.#windows.delete(oldest.key)
    }
  }

  /** Counts a message that this process is about to send, in all budgets or in none. */
  take(number: string, deliveryId: string, budgets: Partial<SendBudgets>, now: Instant): CountedSend {
    const keys = this.#keysOf(number)
    const taken: Array<{ readonly next: Window; readonly takenAt: Instant }> = []
    for (const budget of Object.keys(keys) as ReadonlyArray<SendBudget>) {
      // A budget that is off is counted too: it may be turned on within the hour.
      const outcome = take(this.#windowOf(keys[budget]), budgets[budget] ?? Infinity, now)
      if (outcome._tag === "Full") return { _tag: "Full", budget, retryAt: outcome.retryAt }
      taken.push(outcome)
    }
    for (const { next } of taken) this.#put(next, now)
    this.#own.set(deliveryId, now)
    let isGiven = false
    return {
      _tag: "Counted",
      giveBack: () => {
        if (isGiven) return
        isGiven = true
        this.#own.delete(deliveryId)
        for (const { next, takenAt } of taken) {
          const window = this.#windows.get(next.key)
          if (window !== undefined) this.#windows.replace(next.key, giveBack(window, takenAt))
        }
      }
    }
  }

  /** Counts a message of another process. One that this process counted itself changes nothing. */
  learn(number: string, deliveryId: string, at: Instant, now: Instant): void {
    if (this.#own.delete(deliveryId) || now - at >= hours(1)) return
    for (const key of Object.values(this.#keysOf(number))) this.#put(addTaken(this.#windowOf(key), at), now)
  }

  /** Forgets which messages before this instant were its own, because no report names them again. */
  reported(until: Instant): void {
    for (let oldest = this.#own.oldest; oldest !== null; oldest = this.#own.oldest) {
      if (oldest.value >= until) break
      this.#own.delete(oldest.key)
    }
  }
}
