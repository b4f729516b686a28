import { Cause, Exit } from "effect"
import { type ChannelError, isProviderFailure } from "../../foundation/delivery/ChannelError.ts"
import { type Millis, seconds } from "../../foundation/time/Instant.ts"
import type { SteadyInstant } from "../../foundation/time/steadyTime.ts"

/** The window in which failures count. */
const window: Millis = seconds(10)
/** From this many sends on, half of them failing opens the breaker. */
const fewestForARate = 10
/** This many failures open the breaker if no send succeeded. */
const failuresAlone = 5
const firstOpen: Millis = seconds(10)
const longestOpen: Millis = seconds(60)
/** For this long after a rest, a recipient with a failed message cannot be the trial. */
const othersFirst: Millis = seconds(10)
/** Limits the outcomes kept: enough for a thousand sends a second. */
const mostRemembered = 10_000

/** A send that was admitted. Return it with `ended` when the send has ended. */
export interface Pass {
  /** Whether it is the single send that tries a resting provider. */
  readonly isTrial: boolean
}

/**
 * How a send ended. `answered`: the provider accepted or refused it. `failed`: the provider did not answer, or is
 * unavailable. `interrupted`: the send was interrupted, which says nothing about the provider.
 */
export type PassEnd = "answered" | "failed" | "interrupted"

/** A refusal that concerns a recipient, an account or the content is an answer: it never counts against the provider. */
export const passEndOf = (exit: Exit.Exit<unknown, Pick<ChannelError, "reason">>): PassEnd => {
  if (Exit.isSuccess(exit)) return "answered"
  if (Cause.hasInterruptsOnly(exit.cause)) return "interrupted"
  const error = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error
  return error !== undefined && !isProviderFailure(error) ? "answered" : "failed"
}

/**
 * The health of a provider as operators see it. `HALF_OPEN`: the next send tries whether the provider works again.
 * `until` is in steady time here; `Senders` converts it to wall-clock time.
 */
export type Health =
  | { readonly state: "CLOSED" | "HALF_OPEN"; readonly until: null }
  | { readonly state: "OPEN"; readonly until: number }

interface Outcome {
  readonly at: SteadyInstant
  readonly recipient: number
  readonly failed: boolean
}

/**
 * Stops requests to a failing provider.
 *
 * It opens when at least half of ten or more sends failed within the last ten seconds, or when five failed and none
 * succeeded. After ten seconds it admits one send as a trial. Each failed trial doubles the wait, up to a minute. A
 * successful trial closes it.
 *
 * All failures for one recipient within the window count as one, because a number that cannot be served is not the
 * provider's fault. For the same reason, such a recipient cannot be the trial for ten seconds after a rest.
 */
export class Breaker {
  /** Oldest first, starting at `#first`. */
  #outcomes: Array<Outcome> = []
  #first = 0
  /** The number of failed sends per recipient within the window. */
  readonly #failing = new Map<number, number>()
  #answered = 0
  #openFor: Millis = 0
  #openUntil: SteadyInstant = 0
  #trying = false
  /** Recipients with failed sends since the breaker was last closed. */
  readonly #failedTo = new Set<number>()

  /** Returns when sends are admitted again; null while they are. */
  blockedUntil(now: SteadyInstant): SteadyInstant | null {
    return now < this.#openUntil ? this.#openUntil : null
  }

  /** Whether the breaker opened and no success has closed it since. */
  get isOpen(): boolean {
    return this.#openFor > 0
  }

  health(now: SteadyInstant): Health {
    const until = this.blockedUntil(now)
    return until === null ? { state: this.isOpen ? "HALF_OPEN" : "CLOSED", until } : { state: "OPEN", until }
  }

  /** Returns how many sends the provider's health allows now: unlimited, one as a trial, or none. */
  room(now: SteadyInstant): number {
    if (now < this.#openUntil) return 0
    if (this.#openFor === 0) return Number.POSITIVE_INFINITY
    return this.#trying ? 0 : 1
  }

  /** Admits a send to a recipient; null if it may not go now. Equal numbers mean the same recipient. */
  admit(recipient: number, now: SteadyInstant): Pass | null {
    if (this.#openFor === 0) return { isTrial: false }
    if (this.#trying || now < this.#trialFrom(recipient)) return null
    this.#trying = true
    return { isTrial: true }
  }

  /** Returns when a refused send to this recipient may go. Null when that depends on a trial in progress. */
  admitsFrom(recipient: number, now: SteadyInstant): SteadyInstant | null {
    const from = this.#trialFrom(recipient)
    return now < from ? from : null
  }

  #trialFrom(recipient: number): SteadyInstant {
    return this.#failedTo.has(recipient) ? this.#openUntil + othersFirst : this.#openUntil
  }

  /** Returns the pass of a send to this recipient. */
  ended({ isTrial }: Pass, end: PassEnd, recipient: number, now: SteadyInstant): void {
    if (isTrial) {
      this.#trying = false
      if (end === "answered") this.#close()
      if (end === "failed") {
        this.#open(now, Math.min(2 * this.#openFor, longestOpen))
        this.#failedTo.add(recipient)
      }
      return
    }
    if (end === "interrupted") return
    // A send that began before the breaker opened does not change its state. But a recipient with a failure cannot be
    // the next trial.
    if (this.#openFor > 0) {
      if (end === "failed") this.#failedTo.add(recipient)
      return
    }
    this.#remember({ at: now, recipient, failed: end === "failed" })
    this.#forget(now)
    if (!this.#hasTripped()) return
    for (const failing of this.#failing.keys()) this.#failedTo.add(failing)
    this.#open(now, firstOpen)
  }

  #hasTripped(): boolean {
    const failed = this.#failing.size
    if (this.#answered === 0) return failed >= failuresAlone
    const sends = failed + this.#answered
    return sends >= fewestForARate && 2 * failed >= sends
  }

  #open(now: SteadyInstant, rest: Millis): void {
    this.#openFor = rest
    this.#openUntil = now + rest
    this.#forget(Number.POSITIVE_INFINITY)
  }

  #close(): void {
    this.#openFor = 0
    this.#openUntil = 0
    this.#failedTo.clear()
  }

  #remember(outcome: Outcome): void {
    this.#outcomes.push(outcome)
    if (outcome.failed) this.#failing.set(outcome.recipient, (this.#failing.get(outcome.recipient) ?? 0) + 1)
    else this.#answered++
  }

  /** Drops outcomes older than the window, and those beyond the limit. */
  #forget(now: SteadyInstant): void {
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
    // Compacts the list only when more than half of it is dropped, so the average cost of a send stays constant.
    if (2 * this.#first <= this.#outcomes.length) return
    this.#outcomes = this.#outcomes.slice(this.#first)
    this.#first = 0
  }
}
