import { type Instant, type Millis, seconds } from "../time/Instant.ts"

/** How far back it looks. */
const window: Millis = seconds(10)
/** Of so many sends, half have to fail. */
const fewestForARate = 10
/** Where nothing succeeds at all, so many failures are enough. */
const failuresAlone = 5
const firstOpen: Millis = seconds(10)
const longestOpen: Millis = seconds(60)
/** What is beyond is forgotten before its time: a thousand sends a second fit. */
const mostRemembered = 10_000

/** A send that was let through. It must be given back when the send has ended. */
export interface Pass {
  /** Whether it is the one send that a resting provider is tried with. */
  readonly isTrial: boolean
}

/**
 * How a send ended, for the provider: it answered, whether yes or no; it did not, or said that it cannot now; or
 * somebody interrupted the send, which says nothing.
 */
export type PassEnd = "answered" | "failed" | "interrupted"

/** How a provider is, for people. `HALF_OPEN`: the next send tries whether it is back. */
export type Health =
  | { readonly state: "CLOSED" | "HALF_OPEN"; readonly until: null }
  | { readonly state: "OPEN"; readonly until: Instant }

interface Outcome {
  readonly at: Instant
  readonly recipient: number
  readonly failed: boolean
}

/**
 * Keeps a provider that fails from being asked again and again. It opens when at least half of the sends of the last
 * ten seconds failed and they were ten or more, or when five failed and none succeeded. After ten seconds one send may
 * try. Each failed try doubles the wait, up to a minute, and a success closes it.
 *
 * However often the sends to one recipient fail within the ten seconds, they count as one failed send: a number that no
 * provider can serve is not the provider's trouble.
 */
export class Breaker {
  /** Oldest first, from `#first` on. */
  #outcomes: Array<Outcome> = []
  #first = 0
  /** How many of the remembered sends to a recipient failed. */
  readonly #failing = new Map<number, number>()
  #answered = 0
  #openFor: Millis = 0
  #openUntil: Instant = 0
  #trying = false

  /** When sends will be let through again; null while they are. */
  closedFrom(now: Instant): Instant | null {
    return now < this.#openUntil ? this.#openUntil : null
  }

  /** Whether it has opened, and no success has closed it since. */
  get isOpen(): boolean {
    return this.#openFor > 0
  }

  health(now: Instant): Health {
    const until = this.closedFrom(now)
    return until === null ? { state: this.isOpen ? "HALF_OPEN" : "CLOSED", until } : { state: "OPEN", until }
  }

  /** How many sends may go now, as far as the provider's health decides: any number, one to try it, or none. */
  room(now: Instant): number {
    if (now < this.#openUntil) return 0
    if (this.#openFor === 0) return Number.POSITIVE_INFINITY
    return this.#trying ? 0 : 1
  }

  /** Lets a send through; null when none may go now. */
  admit(now: Instant): Pass | null {
    if (now < this.#openUntil) return null
    if (this.#openFor === 0) return { isTrial: false }
    if (this.#trying) return null
    this.#trying = true
    return { isTrial: true }
  }

  /** Takes back a pass. `recipient` stands for whom the send was for; the same number, the same recipient. */
  ended({ isTrial }: Pass, end: PassEnd, recipient: number, now: Instant): void {
    if (isTrial) {
      this.#trying = false
      if (end === "answered") this.#close()
      if (end === "failed") this.#open(now)
      return
    }
    // Sends that were under way when it opened say nothing new.
    if (this.#openFor > 0 || end === "interrupted") return
    this.#remember({ at: now, recipient, failed: end === "failed" })
    this.#forget(now)
    if (this.#hasTripped()) this.#open(now)
  }

  #hasTripped(): boolean {
    const failed = this.#failing.size
    if (this.#answered === 0) return failed >= failuresAlone
    const sends = failed + this.#answered
    return sends >= fewestForARate && 2 * failed >= sends
  }

  #open(now: Instant): void {
    this.#openFor = this.#openFor === 0 ? firstOpen : Math.min(2 * this.#openFor, longestOpen)
    this.#openUntil = now + this.#openFor
    this.#forget(Number.POSITIVE_INFINITY)
  }

  #close(): void {
    this.#openFor = 0
    this.#openUntil = 0
  }

  #remember(outcome: Outcome): void {
    this.#outcomes.push(outcome)
    if (outcome.failed) this.#failing.set(outcome.recipient, (this.#failing.get(outcome.recipient) ?? 0) + 1)
    else this.#answered++
  }

  /** Forgets what is older than the window, and what is too much. */
  #forget(now: Instant): void {
    const oldest = now - window
    while (this.#first < this.#outcomes.length) {
      const outcome = this.#outcomes[this.#first]!
      if (outcome.at > oldest && this.#outcomes.length - this.#first <= mostRemembered) break
      this.#first++
      if (!outcome.failed) this.#answered--
      else {
        const left = (this.#failing.get(outcome.recipient) ?? 1) - 1
        if (left > 0) this.#failing.set(outcome.recipient, left)
        else this.#failing.delete(outcome.recipient)
      }
    }
    // The list is cut once half of it is forgotten, so that a send costs the same however many are remembered.
    if (2 * this.#first <= this.#outcomes.length) return
    this.#outcomes = this.#outcomes.slice(this.#first)
    this.#first = 0
  }
}
