/**
 * Slots for concurrent requests to a provider, shared by all environments. An environment gets another slot only while
 * it holds fewer slots than are free. So one environment alone gets at most half, and a new one always finds a free slot.
 */
export class FairSlots {
  readonly #most: number
  #taken = 0
  /** The slots that each environment holds. */
  readonly #takenBy = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Whether `take` would succeed. */
  hasRoom(environment: string): boolean {
    return (this.#takenBy.get(environment) ?? 0) < this.#most - this.#taken
  }

  /** Takes a slot. Call `leave` once when the request has ended. */
  take(environment: string): void {
    this.#taken++
    this.#takenBy.set(environment, (this.#takenBy.get(environment) ?? 0) + 1)
  }

  leave(environment: string): void {
    this.#taken--
    const remaining = (this.#takenBy.get(environment) ?? 1) - 1
    if (remaining > 0) this.#takenBy.set(environment, remaining)
    else this.#takenBy.delete(environment)
  }
}
