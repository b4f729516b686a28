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
  ["retries after 500", { again: true }, /500 after the code was used up/],
  ["follows a redirect", { follows: true }, /a redirect is a failure/],
  ["reports success for an unreadable answer", { believes: true }, /an unreadable last answer/],
  ["blames the account for every refusal", { blames: true }, /a used proof/],
  ["reports a refusal as Unavailable", { forgives: true }, /a used proof/],
  ["calls every number verified", { known: true }, /an unverified number/],
  ["returns numbers with a plus", { plus: true }, /in digits without \+/],
  ["logs the code", { logs: true }, /secrecy: accepted/],
  ["quotes the provider's answer in its error", { tells: true }, /secrecy: overloaded/],
  ["reports a refused connection as an unknown outcome", { stubborn: true }, /an unreachable provider is Unavailable/]
]

describe("the kit detects a verifier that", () => {
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
