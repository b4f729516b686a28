import { Effect, Hash } from "effect"
import { Breaker, passEndOf } from "../../message/sending/Breaker.ts"
import { ChannelError, OutcomeUnknown } from "../../foundation/delivery/ChannelError.ts"
import type { NumberVerifier, Proof } from "../../foundation/delivery/NumberVerifier.ts"
import { minutes, seconds } from "../../foundation/time/Instant.ts"
import { type SteadyInstant, steadyNow } from "../../foundation/time/steadyTime.ts"

/** A provider that has not answered by then is taken not to answer. */
const deadline = seconds(10)
/**
 * How many questions a process has open at once. An environment gets another place only while it has fewer than are free:
 * one alone gets half of them, and a newcomer always finds some.
 */
const mostAtOnce = 128
/** When to come again, where nobody knows better. */
const usualWaitSeconds = 5
const longestWaitSeconds = 3600
const saidAgainAfter = minutes(1)

/** What came of a question. */
export type Answer =
  | { readonly _tag: "Proved"; readonly proof: Proof }
  /** The provider does not take this code. */
  | { readonly _tag: "Refused" }
  /** There is no answer that could be read, or nobody was asked. */
  | { readonly _tag: "Unavailable"; readonly retryAfterSeconds: number }

const unavailable = (wish: number): Extract<Answer, { readonly _tag: "Unavailable" }> => ({
  _tag: "Unavailable",
  retryAfterSeconds: Math.min(longestWaitSeconds, Math.max(1, Math.ceil(wish)))
})

/** What a verifier's refusal or silence means. A service that the provider does not know can prove nothing for anybody. */
export const answerOf = ({ reason }: ChannelError): Exclude<Answer, { readonly _tag: "Proved" }> => {
  if (reason._tag === "Refused" && reason.because !== "account") return { _tag: "Refused" }
  return unavailable((reason._tag === "Unavailable" ? reason.retryAfterSeconds : undefined) ?? usualWaitSeconds)
}

/**
 * Asks a provider, and protects it and us: a deadline, a bound for questions at once, and a breaker, so that a provider
 * that is away costs nobody ten seconds for long. A question is never repeated, because a code is good once. What it
 * knows is this process's own.
 */
export class VerifierGuard {
  readonly #breaker = new Breaker()
  readonly #verifier: NumberVerifier
  #asking = 0
  /** How many of them are of each environment. */
  readonly #askingFor = new Map<string, number>()
  #saidAt: SteadyInstant = Number.NEGATIVE_INFINITY

  constructor(verifier: NumberVerifier) {
    this.#verifier = verifier
  }

  /** `recipient` is who has to be proved: one person's failures count once for the breaker. */
  ask(environment: string, payload: unknown, recipient: string): Effect.Effect<Answer> {
    return Effect.flatMap(steadyNow, (now) => {
      const own = this.#askingFor.get(environment) ?? 0
      if (own >= mostAtOnce - this.#asking) return Effect.succeed(unavailable(usualWaitSeconds))
      // A hash in memory is all that is kept of the person.
      const person = Hash.string(recipient)
      const pass = this.#breaker.admit(person, now)
      if (pass === null) {
        const until = this.#breaker.admitsFrom(person, now)
        return Effect.succeed(unavailable(until === null ? usualWaitSeconds : (until - now) / 1000))
      }
      this.#asking++
      this.#askingFor.set(environment, own + 1)
      // Suspended, so that a verifier that throws gives its pass back too.
      return Effect.suspend(() => this.#verifier.verify(payload)).pipe(
        Effect.timeoutOrElse({ duration: deadline, orElse: () => unanswered(this.#verifier.name) }),
        Effect.onExit((exit) =>
          Effect.map(steadyNow, (end) => {
            this.#leave(environment)
            this.#breaker.ended(pass, passEndOf(exit), person, end)
          })
        ),
        Effect.matchEffect({
          onSuccess: (proof): Effect.Effect<Answer> => Effect.succeed({ _tag: "Proved", proof }),
          onFailure: (error) => this.#told(error)
        })
      )
    })
  }

  #leave(environment: string): void {
    this.#asking--
    const left = this.#askingFor.get(environment)! - 1
    if (left > 0) this.#askingFor.set(environment, left)
    else this.#askingFor.delete(environment)
  }

  #told(error: ChannelError): Effect.Effect<Answer> {
    const answer = answerOf(error)
    const { reason } = error
    if (answer._tag !== "Unavailable") return Effect.succeed(answer)
    const what =
      reason._tag === "Refused"
        ? "A provider that proves numbers does not know this service's account there"
        : "A provider that proves numbers gave no answer that can be read"
    return Effect.as(this.#say(what, reason.providerCode), answer)
  }

  /** A provider that is away would say the same with every request. */
  #say(what: string, providerCode: string): Effect.Effect<void> {
    return Effect.flatMap(steadyNow, (now) => {
      if (now - this.#saidAt < saidAgainAfter) return Effect.void
      this.#saidAt = now
      return Effect.logWarning(what, { provider: this.#verifier.provider, providerCode })
    })
  }
}

const unanswered = (name: string) =>
  Effect.fail(new ChannelError({ channel: name, reason: new OutcomeUnknown({ providerCode: "timeout" }) }))
