import { type Instant, type Millis, seconds } from "../time/Instant.ts"

const failuresToOpen = 5
const firstOpen: Millis = seconds(10)
const longestOpen: Millis = seconds(60)

/**
 * Keeps a provider that fails from being asked again and again. Five failures in a row open it for ten seconds; then
 * one send may try. Each failed try doubles the wait, up to a minute, and a success closes it.
 */
export class Breaker {
  #failures = 0
  #openFor: Millis = 0
  #openUntil: Instant = 0
  #trying = false

  /** When sends will be let through again; null while they are. */
  closedFrom(now: Instant): Instant | null {
    return now < this.#openUntil ? this.#openUntil : null
  }

  /** Whether a send may go now. One that may must report `succeeded` or `failed`. */
  admits(now: Instant): boolean {
    if (now < this.#openUntil) return false
    if (this.#openFor === 0) return true
    if (this.#trying) return false
    this.#trying = true
    return true
  }

  /** The provider answered, whether yes or no. */
  succeeded(): void {
    this.#failures = 0
    this.#openFor = 0
    this.#openUntil = 0
    this.#trying = false
  }

  /** The provider did not answer, or said that it cannot now. */
  failed(now: Instant): void {
    this.#failures++
    if (!this.#trying && this.#failures < failuresToOpen) return
    // Sends that were under way when it opened fail too; they say nothing new.
    if (!this.#trying && now < this.#openUntil) return
    this.#openFor = this.#openFor === 0 ? firstOpen : Math.min(2 * this.#openFor, longestOpen)
    this.#openUntil = now + this.#openFor
    this.#trying = false
  }
}
