import { assert } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Race from "../Race.ts"
import { unreachableUrl } from "../channel/trial.ts"
import type { VerifierCheck } from "./VerifierCheck.ts"
import type { VerifierBehaviour } from "./VerifierDouble.ts"
import { arrives, asking, ending, proofOf, verifierTrial, reasonOf } from "./verifierTrial.ts"

const asha = "919876543210"
const ravi = "919876543211"

/** How a verifier reports people whom the provider knows. */
const truths: ReadonlyArray<VerifierCheck> = [
  [
    "a code proves the number of the person who consented, in digits without +",
    (bench) =>
      Effect.gen(function* () {
        const { prove } = yield* verifierTrial(bench)
        for (const phone of [asha, ravi]) {
          const proof = proofOf(yield* prove({ phone }))
          assert.deepStrictEqual([proof.phone, proof.isVerified], [phone, true])
        }
      })
  ],
  [
    "an unverified number is reported as unverified, and a profile without a number as null",
    (bench) =>
      Effect.gen(function* () {
        const { provider, prove, verifier } = yield* verifierTrial(bench)
        // They know no unverified number: a carrier or a signature names only numbers that it has verified.
        if (provider.isOffline === true || verifier.start !== undefined) return
        assert.deepStrictEqual(proofOf(yield* prove({ phone: asha, isVerified: false })), {
          phone: asha,
          isVerified: false
        })
        const nameless = proofOf(yield* prove({ phone: null }))
        assert.isNull(nameless.phone)
        assert.isFalse(nameless.isVerified, "nothing is verified where there is no number")
      })
  ],
  [
    "concurrent verifications do not mix",
    (bench) =>
      Effect.gen(function* () {
        const { prove } = yield* verifierTrial(bench)
        const phones = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => `91987654320${n}`)
        const { successes } = yield* Race.together(phones.length, (n) => prove({ phone: phones[n]! }))
        assert.deepStrictEqual(
          successes.map((exit) => proofOf(exit).phone),
          phones
        )
      })
  ]
]

/** How a verifier reports a refusal of the provider. */
const refusals: ReadonlyArray<VerifierCheck> = [
  [
    "a used proof, or one mixed with another person's, is Refused, and not because of the account; a proof that can be checked again identifies itself",
    (bench) =>
      Effect.gen(function* () {
        const { ask, consent, provider } = yield* verifierTrial(bench)
        const [first, second] = [yield* consent({ phone: asha }), yield* consent({ phone: ravi })]
        const { once } = proofOf(yield* ask(first))
        if (provider.isOffline === true) {
          assert.isNotEmpty(once, "core cannot tell whether the proof was used")
          assert.strictEqual(proofOf(yield* ask(first)).once, once)
          assert.notStrictEqual(proofOf(yield* ask(second)).once, once)
          return
        }
        const mixed = Object.keys(second.proof).map((field) => ({
          ...second,
          proof: { ...second.proof, [field]: first.proof[field]! }
        }))
        for (const question of [first, ...mixed]) {
          const reason = reasonOf(yield* ask(question))
          assert.strictEqual(reason._tag, "Refused")
          assert.notProperty(reason, "because", "the code is to blame, and not the account")
        }
      })
  ],
  [
    "an account that the provider does not know is Refused because of the account, after one request",
    (bench) =>
      Effect.gen(function* () {
        const { ask, consent, provider } = yield* verifierTrial(bench)
        const question = yield* consent({ phone: asha })
        const before = (yield* provider.seen).length
        yield* provider.play("unknownAccount")
        const reason = reasonOf(yield* ask(question))
        assert.deepStrictEqual([reason._tag, "because" in reason ? reason.because : null], ["Refused", "account"])
        assert.lengthOf(yield* provider.seen, before + 1)
      })
  ]
]

interface Trouble {
  readonly what: string
  readonly play: VerifierBehaviour
  readonly as: ReadonlyArray<"Unavailable" | "OutcomeUnknown">
  /** The most requests allowed. */
  readonly requests?: number
}

const troubles: ReadonlyArray<Trouble> = [
  { what: "an overloaded provider", play: "overloaded", as: ["Unavailable"] },
  { what: "503", play: "unavailable", as: ["Unavailable"] },
  { what: "500 before the code is checked", play: "broken", as: ["Unavailable", "OutcomeUnknown"] },
  { what: "500 after the code was used up", play: "brokenAfter", as: ["Unavailable", "OutcomeUnknown"] },
  {
    what: "a provider that fails after it took the code",
    play: "brokenLater",
    as: ["OutcomeUnknown"],
    requests: 2
  },
  { what: "an unreadable answer", play: "garbled", as: ["OutcomeUnknown"] },
  { what: "an unreadable last answer", play: "garbledLater", as: ["OutcomeUnknown"], requests: 2 },
  { what: "an answer of 64 MB", play: "huge", as: ["OutcomeUnknown"] },
  { what: "a connection that closes without an answer", play: "slam", as: ["OutcomeUnknown"] }
]

/** A verifier never retries, because the code may be used up. */
const failures: ReadonlyArray<VerifierCheck> = troubles.map(({ as, play, requests = 1, what }) => [
  `${what} is ${as.join(" or ")}, without a retry`,
  (bench) =>
    Effect.gen(function* () {
      const { ask, consent, provider, prove } = yield* verifierTrial(bench)
      const question = yield* consent({ phone: asha })
      const before = (yield* provider.seen).length
      yield* provider.play(play)
      const reason = reasonOf(yield* ask(question))
      // Without the provider the proof stays unused, whatever happened to the request.
      assert.include(provider.isOffline === true ? [...as, "Unavailable"] : as, reason._tag)
      assert.isAtMost((yield* provider.seen).length - before, requests)
      if (play === "overloaded" && provider.retryAfterSeconds !== undefined && reason._tag === "Unavailable") {
        assert.strictEqual(reason.retryAfterSeconds, provider.retryAfterSeconds, "the provider's own wish is kept")
      }
      yield* provider.play("accepted")
      assert.strictEqual(proofOf(yield* prove({ phone: ravi })).phone, ravi)
    })
])

const patience: ReadonlyArray<VerifierCheck> = [
  [
    "an unreachable provider is Unavailable",
    (bench) =>
      Effect.gen(function* () {
        const { url } = yield* bench.provider
        const { prove } = yield* verifierTrial(bench, yield* unreachableUrl(url))
        assert.strictEqual(reasonOf(yield* prove({ phone: asha }))._tag, "Unavailable")
      })
  ],
  [
    "a redirect is a failure, and nothing arrives at its target",
    (bench) =>
      Effect.gen(function* () {
        const { ask, consent, provider } = yield* verifierTrial(bench)
        const question = yield* consent({ phone: asha })
        const stranger = yield* bench.provider
        yield* provider.play({ redirect: stranger.url })
        reasonOf(yield* ask(question))
        assert.deepStrictEqual(yield* stranger.seen, [], "the code went where the provider's answer pointed")
      })
  ],
  [
    "a verification waits for a provider that answers within ten seconds",
    (bench) =>
      Effect.gen(function* () {
        const { asked, consent, verifier, provider } = yield* verifierTrial(bench)
        const question = yield* consent({ phone: asha })
        const before = (yield* provider.seen).length
        yield* provider.play("slow")
        const fiber = yield* asking(verifier, question)
        yield* asked(before + 1)
        yield* TestClock.adjust("9 seconds")
        assert.strictEqual(proofOf(yield* ending(fiber)).phone, asha)
      })
  ],
  [
    "a waiting verification stops when it is interrupted, after one request",
    (bench) =>
      Effect.gen(function* () {
        const { asked, consent, verifier, provider } = yield* verifierTrial(bench)
        const question = yield* consent({ phone: asha })
        const before = (yield* provider.seen).length
        yield* provider.play("hanging")
        const fiber = yield* asking(verifier, question)
        yield* asked(before + 1)
        yield* TestClock.adjust("9 seconds")
        yield* Effect.forkChild(Fiber.interrupt(fiber), { startImmediately: true })
        const exit = yield* arrives(Fiber.await(fiber), "the question goes on after it was interrupted")
        assert.isTrue(Exit.hasInterrupts(exit))
        assert.lengthOf(yield* provider.seen, before + 1)
      })
  ]
]

/** How a verifier with a start reports a provider that does not begin. */
const starts: ReadonlyArray<VerifierCheck> = [
  [
    "a start that the provider does not take is a failure, without a retry, and what it keeps is short",
    (bench) =>
      Effect.gen(function* () {
        const { consent, provider, verifier } = yield* verifierTrial(bench)
        if (verifier.start === undefined) return
        for (const play of ["unknownAccount", "overloaded", "unavailable", "broken", "garbled", "slam"] as const) {
          const before = (yield* provider.seen).length
          yield* provider.play(play)
          const exit = yield* Effect.exit(consent({ phone: asha }))
          // A verifier may build the address by itself.
          if (Exit.isSuccess(exit)) assert.lengthOf(yield* provider.seen, before)
          else assert.isAtMost((yield* provider.seen).length - before, 1)
        }
        yield* provider.play("accepted")
        const { login } = yield* consent({ phone: asha })
        assert.isNotEmpty(login.kept)
        assert.isAtMost(login.kept!.length, 1000)
      })
  ]
]

/** The promises of every verifier. */
export const proofChecks: ReadonlyArray<VerifierCheck> = [...truths, ...refusals, ...failures, ...patience, ...starts]
