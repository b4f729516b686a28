import { Cause, Exit } from "effect"
import { type ChannelError, isProviderFailure } from "../../foundation/delivery/ChannelError.ts"
import { type Millis, seconds } from "../../foundation/time/Instant.ts"
import type { SteadyInstant } from "../../foundation/time/steadyTime.ts"

/** How far back it looks. */
const window: Millis = seconds(10)
/** Of so many sends, half have to fail. */
const fewestForARate = 10
/** Where nothing succeeds at all, so many failures are enough. */
const failuresAlone = 5
const firstOpen: Millis = seconds(10)
const longestOpen: Millis = seconds(60)
/** For so long after a rest, a recipient whose message has failed leaves the trial to the messages of others. */
const othersFirst: Millis = seconds(10)
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

/** A refusal that concerns a recipient, an account or the content is an answer: it never counts against the provider. */
export const passEndOf = (exit: Exit.Exit<unknown, ChannelError>): PassEnd => {
  if (Exit.isSuccess(exit)) return "answered"
  if (Cause.hasInterruptsOnly(exit.cause)) return "interrupted"
  const error = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error
  return error !== undefined && !isProviderFailure(error) ? "answered" : "failed"
}

/**
 * The health of a provider, as operators see it. `HALF_OPEN`: the next send tries whether it is back. `until` is in steady
 * time here, and a time of day where `Senders` answers it.
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
 * Keeps a provider that fails from being asked again and again. It opens when at least half of the sends of the last
 * ten seconds failed and they were ten or more, or when five failed and none succeeded. After ten seconds one send may
 * try. Each failed try doubles the wait, up to a minute, and a success closes it.
 *
 * However often the sends to one recipient fail within the ten seconds, they count as one failed send: a number that no
 * provider can serve is not the provider's trouble. For the same reason such a recipient does not decide about a
 * provider that may be back: for ten seconds after a rest, only other recipients' sends may be the trial.
 */
export class Breaker {
  /** Oldest first, from `#first` on. */
  #outcomes: Array<Outcome> = []
  #first = 0
  /** How many of the remembered sends to a recipient failed. */
  readonly #failing = new Map<number, number>()
  #answered = 0
  #openFor: Millis = 0
  #openUntil: SteadyInstant = 0
  #trying = false
  /** Recipients whose sends have failed since it was last closed. */
  readonly #failedTo = new Set<number>()

  /** When sends will be let through again; null while they are. */
  closedFrom(now: SteadyInstant): SteadyInstant | null {
    return now < this.#openUntil ? this.#openUntil : null
  }

  /** Whether it has opened, and no success has closed it since. */
  get isOpen(): boolean {
    return this.#openFor > 0
  }

  health(now: SteadyInstant): Health {
    const until = this.closedFrom(now)
    return until === null ? { state: this.isOpen ? "HALF_OPEN" : "CLOSED", until } : { state: "OPEN", until }
  }

  /** How many sends may go now, as far as the provider's health decides: any number, one to try it, or none. */
  room(now: SteadyInstant): number {
    if (now < this.#openUntil) return 0
    if (this.#openFor === 0) return Number.POSITIVE_INFINITY
    return this.#trying ? 0 : 1
  }

  /** Lets a send to that recipient through; null when it may not go now. The same number, the same recipient. */
  admit(recipient: number, now: SteadyInstant): Pass | null {
    if (this.#openFor === 0) return { isTrial: false }
    if (this.#trying || now < this.#trialFrom(recipient)) return null
    this.#trying = true
    return { isTrial: true }
  }

  /** When a send to that recipient, which was not let through, may go; null when that depends on a trial under way. */
  admitsFrom(recipient: number, now: SteadyInstant): SteadyInstant | null {
    const from = this.#trialFrom(recipient)
    return now < from ? from : null
  }

  #trialFrom(recipient: number): SteadyInstant {
    return this.#failedTo.has(recipient) ? this.#openUntil + othersFirst : this.#openUntil
  }

  /** Takes back the pass of a send to that recipient. */
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
    // The result of a send that began before it opened is no news, but its recipient is no good trial either.
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

  /** Forgets what is older than the window, and what is too much. */
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
    // The list is cut once half of it is forgotten, so that a send costs the same however many are remembered.
    if (2 * this.#first <= this.#outcomes.length) return
    this.#outcomes = this.#outcomes.slice(this.#first)
    this.#first = 0
  }
}
