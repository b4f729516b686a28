import { ChannelError, type NumberLogin, type NumberVerifier, type Proof } from "@countersign/core/channel"
import { assert } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import type { VerifierBench } from "./VerifierCheck.ts"
import type { Person, VerifierDouble } from "./VerifierDouble.ts"

/** The limit for an action that should be immediate, also on a slow machine. */
const patience = "10 seconds"

export type ProofExit = Exit.Exit<Proof, ChannelError>

/** A proof as an app sends it, and what the verifier's start returned for the login. */
export interface Question {
  readonly proof: { readonly [field: string]: string }
  readonly login: NumberLogin
}

/** Waits in real time for an effect of the network, which no test clock moves. */
export const arrives = <A>(effect: Effect.Effect<A>, otherwise: string): Effect.Effect<A> =>
  Effect.map(TestClock.withLive(Effect.timeoutOption(effect, patience)), (found) =>
    Option.isSome(found) ? found.value : assert.fail(otherwise)
  )

/** A verifier without a start returns the number of the proof, and never this one. */
const usualPhone = "919876543299"

const loginOf = (phone: string, kept: string | null): NumberLogin => ({
  sessionId: "ver_00000000000000000000000000",
  merchantId: "mer_kit",
  phone,
  kept
})

/** A verification in flight. */
export const asking = (verifier: NumberVerifier, { login, proof }: Question) =>
  Effect.forkChild(
    Schema.decodeUnknownEffect(verifier.payload)(proof).pipe(
      Effect.catch(() => Effect.die(new Error("payload does not read what the double gives an app"))),
      Effect.flatMap((payload) => verifier.verify(payload, login))
    ),
    { startImmediately: true }
  )

/** The result of a verification that the provider answers. */
export const ending = (fiber: Fiber.Fiber<Proof, ChannelError>): Effect.Effect<ProofExit> =>
  arrives(Fiber.await(fiber), "the question does not end, though the provider has answered")

export interface VerifierTrial {
  readonly verifier: NumberVerifier
  readonly provider: VerifierDouble
  /** Simulates a consent, after the start of a verifier that has one. */
  readonly consent: (person: Person) => Effect.Effect<Question, ChannelError>
  /** Simulates a consent, and verifies its code. */
  readonly prove: (person: Person) => Effect.Effect<ProofExit>
  readonly ask: (question: Question) => Effect.Effect<ProofExit>
  /** Waits until the provider received this many requests. */
  readonly asked: (times: number) => Effect.Effect<void>
}

/** The verifier in front of a provider. */
export const verifierTrial = Effect.fnUntraced(function* (bench: VerifierBench, url?: string) {
  const provider = yield* bench.provider
  const verifier = yield* bench.make(url ?? provider.url)
  const ask = (question: Question) => Effect.flatMap(asking(verifier, question), ending)
  const consent = Effect.fnUntraced(function* (person: Person) {
    if (verifier.start === undefined) {
      return { proof: yield* provider.consent(person), login: loginOf(usualPhone, null) }
    }
    const phone = person.phone ?? usualPhone
    const { kept, url } = yield* verifier.start(loginOf(phone, null))
    return { proof: yield* provider.consent(person, url), login: loginOf(phone, kept) }
  })
  const trial: VerifierTrial = {
    verifier,
    provider,
    ask,
    consent,
    prove: (person) =>
      Effect.matchEffect(consent(person), {
        onFailure: (error): Effect.Effect<ProofExit> => Effect.succeed(Exit.fail(error)),
        onSuccess: ask
      }),
    asked: (times) =>
      arrives(
        Effect.gen(function* () {
          while ((yield* provider.seen).length < times) yield* Effect.sleep(2)
        }),
        "the provider is not asked"
      )
  }
  return trial
})

export const proofOf = (exit: ProofExit): Proof =>
  Exit.isSuccess(exit) ? exit.value : assert.fail(`nothing was proved: ${Cause.pretty(exit.cause)}`)

/** The reason of a failed verification. Every result but a `ChannelError` fails the check. */
export const reasonOf = (exit: ProofExit): ChannelError["reason"] => {
  if (Exit.isSuccess(exit)) return assert.fail("the verifier says that a number was proved")
  const [reason, ...more] = exit.cause.reasons
  if (reason?._tag !== "Fail" || more.length > 0 || !(reason.error instanceof ChannelError)) {
    return assert.fail(`the question does not fail with a ChannelError: ${Cause.pretty(exit.cause)}`)
  }
  assert.match(reason.error.reason.providerCode, /^[!-~][ -~]{0,99}$/, "a provider code is a short name, not a text")
  return reason.error.reason
}
