import { Effect, Hash } from "effect"
import { Breaker, passEndOf } from "../../message/sending/Breaker.ts"
import { ChannelError, OutcomeUnknown } from "../../foundation/delivery/ChannelError.ts"
import type { NumberLogin, NumberStart, NumberVerifier, Proof } from "../../foundation/delivery/NumberVerifier.ts"
import { minutes, seconds } from "../../foundation/time/Instant.ts"
import { type SteadyInstant, steadyNow } from "../../foundation/time/steadyTime.ts"
import { FairSlots } from "./FairSlots.ts"

/** How long a provider has to answer. */
const deadline = seconds(10)
/** How many requests a process runs concurrently. */
const mostAtOnce = 128
/** The retry delay when the provider names none. */
const usualWaitSeconds = 5
const longestWaitSeconds = 3600
const saidAgainAfter = minutes(1)

/** Why the provider did not do what was asked. */
export type NoAnswer =
  /** The provider refuses this code. */
  | { readonly _tag: "Refused" }
  /** The provider cannot verify over the phone's network. */
  | { readonly _tag: "OtherNetwork" }
  /** The provider gave no readable answer, or the guard did not ask it. */
  | { readonly _tag: "Unavailable"; readonly retryAfterSeconds: number }

/** The result of a proof. */
export type Answer = { readonly _tag: "Proved"; readonly proof: Proof } | NoAnswer

/** The result of a start. */
export type StartAnswer = { readonly _tag: "Started"; readonly started: NumberStart } | NoAnswer

const unavailable = (wish: number): Extract<NoAnswer, { readonly _tag: "Unavailable" }> => ({
  _tag: "Unavailable",
  retryAfterSeconds: Math.min(longestWaitSeconds, Math.max(1, Math.ceil(wish)))
})

/**
 * Translates a verifier's error. If the provider does not know this service's account, it cannot prove any number, so
 * it counts as unavailable.
 */
export const answerOf = ({ reason }: ChannelError): NoAnswer => {
  if (reason._tag === "Refused" && reason.because !== "account") {
    return { _tag: reason.because === "channel" ? "OtherNetwork" : "Refused" }
  }
  return unavailable((reason._tag === "Unavailable" ? reason.retryAfterSeconds : undefined) ?? usualWaitSeconds)
}

/**
 * Calls a provider and protects both sides, with a deadline, a limit on concurrent requests, and a circuit breaker. So
 * an unavailable provider soon stops costing each request ten seconds. A request is never retried, because a code works
 * once. Each process keeps its own state.
 */
export class VerifierGuard {
  readonly #breaker = new Breaker()
  readonly #verifier: NumberVerifier
  readonly #slots = new FairSlots(mostAtOnce)
  #saidAt: SteadyInstant = Number.NEGATIVE_INFINITY

  constructor(verifier: NumberVerifier) {
    this.#verifier = verifier
  }

  /** Sends a proof. The breaker counts the failures of one number once. */
  ask(environment: string, payload: unknown, login: NumberLogin): Effect.Effect<Answer> {
    const verify = Effect.suspend(() => this.#verifier.verify(payload, login))
    return this.#run(environment, login, verify, (proof): Answer => ({ _tag: "Proved", proof }))
  }

  /** Begins a verification, under the same limits as a proof. */
  start(environment: string, login: NumberLogin): Effect.Effect<StartAnswer> {
    const start = Effect.suspend(() => this.#verifier.start!(login))
    return this.#run(environment, login, start, (started): StartAnswer => ({ _tag: "Started", started }))
  }

  #run<A, B>(
    environment: string,
    { phone }: NumberLogin,
    // Suspended, so that a verifier that throws also returns its pass.
    call: Effect.Effect<A, ChannelError>,
    told: (answer: A) => B
  ): Effect.Effect<B | NoAnswer> {
    return Effect.flatMap(steadyNow, (now): Effect.Effect<B | NoAnswer> => {
      if (!this.#slots.hasRoom(environment)) return Effect.succeed(unavailable(usualWaitSeconds))
      // The guard keeps only a hash of the person, in memory.
      const person = Hash.string(phone)
      const pass = this.#breaker.admit(person, now)
      if (pass === null) {
        const until = this.#breaker.admitsFrom(person, now)
        return Effect.succeed(unavailable(until === null ? usualWaitSeconds : (until - now) / 1000))
      }
      this.#slots.take(environment)
      return call.pipe(
        Effect.timeoutOrElse({ duration: deadline, orElse: () => unanswered(this.#verifier.name) }),
        Effect.onExit((exit) =>
          Effect.map(steadyNow, (end) => {
            this.#slots.leave(environment)
            this.#breaker.ended(pass, passEndOf(exit), person, end)
          })
        ),
        Effect.matchEffect({
          onSuccess: (answer): Effect.Effect<B | NoAnswer> => Effect.succeed(told(answer)),
          onFailure: (error) => this.#told(error)
        })
      )
    })
  }

  #told(error: ChannelError): Effect.Effect<NoAnswer> {
    const answer = answerOf(error)
    const { reason } = error
    if (answer._tag !== "Unavailable") return Effect.succeed(answer)
    const message =
      reason._tag === "Refused"
        ? "A number verification provider rejected this service's account; check its configuration"
        : "A number verification provider returned an unreadable response"
    return Effect.as(this.#say(message, reason.providerCode), answer)
  }

  /** Logs at most once a minute: an unavailable provider fails every request in the same way. */
  #say(message: string, providerCode: string): Effect.Effect<void> {
    return Effect.flatMap(steadyNow, (now) => {
      if (now - this.#saidAt < saidAgainAfter) return Effect.void
      this.#saidAt = now
      return Effect.logWarning(message, { provider: this.#verifier.provider, providerCode })
    })
  }
}

const unanswered = (name: string) =>
  Effect.fail(new ChannelError({ channel: name, reason: new OutcomeUnknown({ providerCode: "timeout" }) }))
