import { NumberVerifierTest } from "@countersign/testkit"
import { TruecallerSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { type Faults, plainVerifier } from "./fixtures/PlainVerifier.ts"

const options = (faults: Faults): NumberVerifierTest.Options => ({
  make: (url) => Effect.succeed(plainVerifier(url, faults)),
  provider: TruecallerSimulator.make()
})

NumberVerifierTest.suite("that keeps every promise", options({}))

const planted: ReadonlyArray<readonly [fault: string, faults: Faults, caughtBy: RegExp]> = [
  ["asks again after 500", { again: true }, /500 after the code was used up/],
  ["follows a redirect", { follows: true }, /a redirect is a failure/],
  ["believes an answer that it cannot read", { believes: true }, /a last answer that nobody can read/],
  ["blames the account for every refusal", { blames: true }, /a proof that was used/],
  ["takes a refusal for an accident", { forgives: true }, /a proof that was used/],
  ["calls every number verified", { known: true }, /has not verified/],
  ["writes numbers with a plus", { plus: true }, /in digits without \+/],
  ["logs the code", { logs: true }, /secrecy: accepted/],
  ["tells the provider's words in its error", { tells: true }, /secrecy: overloaded/],
  ["calls a refused connection an unknown outcome", { stubborn: true }, /cannot be reached is Unavailable/]
]

describe("the kit notices a verifier that", () => {
  for (const [fault, faults, caughtBy] of planted) {
    it.effect(fault, () =>
      Effect.gen(function* () {
        const meant = NumberVerifierTest.checks(options(faults)).filter(({ promise }) => caughtBy.test(promise))
        assert.isNotEmpty(meant)
        const exits = yield* Effect.forEach(meant, ({ check }) => Effect.exit(check))
        assert.isTrue(exits.some(Exit.isFailure), "no check failed")
      })
    )
  }
})
