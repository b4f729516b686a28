import type { Instant, Millis } from "../time/Instant.ts"

/** How far ahead of its turn a send may wait inside the process. */
const longestWait: Millis = 1_000

const mostPromised = 20_000

/**
 * Spreads sends evenly over time, so that a provider's limit is used and not passed. Every send gets its own turn, in
 * the order of asking.
 */
export class Pace {
  readonly #interval: Millis
  /** Who was told to come back, and for which turn. */
  readonly #promised = new Map<string, Instant>()
  #next: Instant = 0

  constructor(perSecond: number) {
    this.#interval = 1_000 / perSecond
  }

  /** The turn of the send of that name. When it is far away, the send leaves and comes back for it. */
  turn(
    name: string,
    now: Instant
  ): { readonly _tag: "Wait"; readonly millis: Millis } | { readonly _tag: "ComeBack"; readonly at: Instant } {
    const promised = this.#promised.get(name)
    const at = promised ?? Math.max(this.#next, now)
    if (promised === undefined) this.#next = at + this.#interval
    if (at - now <= longestWait) {
      this.#promised.delete(name)
      return { _tag: "Wait", millis: Math.max(0, Math.ceil(at - now)) }
    }
    // Some of those who were told to come back do so in another process.
    if (this.#promised.size >= mostPromised) this.#promised.clear()
    this.#promised.set(name, at)
    return { _tag: "ComeBack", at: Math.floor(at) }
  }
}
