import { assert, it } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
import { TestClock } from "effect/testing"
import type { NumberVerifier, Proof } from "../../src/foundation/delivery/NumberVerifier.ts"
import { TruecallerProof } from "../../src/auth/verification/truecallerProof.ts"
import { VerifierGuard } from "../../src/auth/verification/VerifierGuard.ts"

it.effect("a verifier that throws releases its place, and is called again after its circuit closes", () =>
  Effect.gen(function* () {
    let broken = true
    const proof: Proof = { phone: "919876543210", isVerified: true }
    const verifier: NumberVerifier<TruecallerProof> = {
      name: "TRUECALLER",
      provider: "acme",
      payload: TruecallerProof,
      verify: () => {
        if (broken) throw new Error("not ready")
        return Effect.succeed(proof)
      }
    }
    const guard = new VerifierGuard(verifier)
    const request = { code: Redacted.make("code"), codeVerifier: Redacted.make("verifier") }
    const login = { sessionId: "ver_1", merchantId: "mer_1", kept: null }
    const ask = (n: number) => Effect.exit(guard.ask("live_1", request, { ...login, phone: `person ${n}` }))
    for (let n = 0; n < 5; n++) assert.isTrue(Exit.isFailure(yield* ask(n)))
    assert.deepStrictEqual(yield* ask(5), Exit.succeed({ _tag: "Unavailable", retryAfterSeconds: 10 }))
    yield* TestClock.adjust("10 seconds")
    assert.isTrue(Exit.isFailure(yield* ask(6)))
    broken = false
    yield* TestClock.adjust("20 seconds")
    assert.deepStrictEqual(yield* ask(7), Exit.succeed({ _tag: "Proved", proof }))
  })
)
