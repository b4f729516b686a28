import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { link, makeLinkWorld } from "../fixtures/links.ts"
import { indian, start } from "../fixtures/World.ts"

describe("a second request for a link", () => {
  it.effect(
    "with the same state, challenge and address resends the same link, also between requests of other browsers",
    () =>
      Effect.gen(function* () {
        const { live, tokenOf, verifications } = yield* makeLinkWorld()
        const challenges = ["x", "y"].map((letter) => letter.repeat(43))
        const wishes = [
          link(),
          link({ redirectUri: null }),
          link({ state: "a" }),
          link({ state: "b" }),
          link({ state: "a", redirectUri: null }),
          ...challenges.map((codeChallenge) => link({ state: "a", codeChallenge }))
        ]
        const ask = Effect.forEach(wishes, (wish) =>
          Effect.map(verifications.initiate(live, wish), (i) => i.verification)
        )
        const first = yield* ask
        const second = yield* ask
        assert.strictEqual(new Set(first.map(({ id }) => id)).size, wishes.length)
        assert.deepStrictEqual(
          second.map((one) => [one.id, tokenOf(one), one.resends]),
          first.map((one) => [one.id, tokenOf(one), 1])
        )
      })
  )

  it.effect("over Truecaller starts another login: neither takes the channel or the number of the other", () =>
    Effect.gen(function* () {
      const { links, test, tokenOf, verifications } = yield* makeLinkWorld()
      const caller = { ...test, settings: { ...test.settings, linkNumberMatch: true } }
      const wish = link({ identity: indian, identityType: "MOBILE", mode: "OAUTH", channel: "TRUECALLER", state: "s" })
      const ask = (channel: string) =>
        Effect.map(verifications.initiate(caller, { ...wish, channel }), (initiated) => initiated.verification)
      const proved = yield* ask("TRUECALLER")
      const linked = yield* ask("WHATSAPP")
      assert.notStrictEqual(linked.id, proved.id)
      assert.deepStrictEqual(["matchesNumbers" in proved, "matchesNumbers" in linked], [false, true])
      assert.deepStrictEqual([(yield* ask("TRUECALLER")).id, (yield* ask("WHATSAPP")).id], [proved.id, linked.id])
      assert.strictEqual((yield* links.look(tokenOf(linked)))?.numbers?.length, 5)
      assert.isNull(yield* links.look(tokenOf(proved)))
      assert.deepStrictEqual([proved.deliveries, proved.fallback], [[], null])
    })
  )

  it.effect("over Truecaller sends nothing and expires: it never FAILS, and has one otp.expired", () =>
    Effect.gen(function* () {
      const { events, test, verifications } = yield* makeLinkWorld({ idle: false })
      const wish = link({ identity: indian, identityType: "MOBILE", mode: "OAUTH", channel: "TRUECALLER" })
      const { verification } = yield* verifications.initiate(
        { ...test, settings: { ...test.settings, fallbackChannel: "SMS" } },
        wish
      )
      yield* TestClock.setTime(start + 310_000)
      const after = yield* verifications.status(test, { requestId: verification.id })
      assert.deepStrictEqual([after.status, after.undeliverable, after.deliveries], ["PENDING", false, []])
      const tried = yield* Effect.flip(verifications.verify(test, { requestId: verification.id, otp: "123456" }))
      assert.strictEqual(tried._tag, "VerificationExpired")
      assert.strictEqual((yield* verifications.status(test, { requestId: verification.id })).status, "EXPIRED")
      assert.deepStrictEqual(
        (yield* events(test)).map(({ type }) => type),
        ["otp.initiated", "otp.expired"]
      )
    })
  )
})
