import type { Instant } from "../time/Instant.ts"
import { emptyTally, type Tally } from "./Tally.ts"

/** Tallies by key. When there are too many, those that were not used for longest are forgotten. */
export class Tallies {
  readonly #most: number
  /** Tallies that were used lately, and those that were used before. The older half is dropped when the newer is full. */
  #tallies = new Map<string, Tally>()
  #older = new Map<string, Tally>()

  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#tallies.size + this.#older.size
  }

  find(key: string): Tally | undefined {
    const tally = this.#tallies.get(key)
    if (tally !== undefined) return tally
    const older = this.#older.get(key)
    if (older !== undefined) this.#put(key, older)
    return older
  }

  /** Finds a tally, or adds an empty one. */
  of(key: string, at: Instant): Tally {
    const known = this.find(key)
    if (known !== undefined) return known
    const made = emptyTally(at)
    this.#put(key, made)
    return made
  }

  delete(key: string): void {
    this.#tallies.delete(key)
    this.#older.delete(key)
  }

  #put(key: string, tally: Tally): void {
    if (this.#tallies.size >= this.#most / 2) {
      this.#older = this.#tallies
      this.#tallies = new Map()
    }
    this.#tallies.set(key, tally)
  }
}
