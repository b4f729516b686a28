import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { checkContext, type GivenContext, seenContext } from "../../src/auth/verification/RequestContext.ts"
import { ask } from "../fixtures/logins.ts"
import { indian, makeWorld, otp } from "../fixtures/World.ts"

const tags = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`name ${n}`, "value"]))

describe("the context of a request", () => {
  it.each<readonly [GivenContext, object | null]>([
    [{}, null],
    [{ clientIp: null, userAgent: null, deviceId: null, tags: null }, null],
    [{ clientIp: "203.0.113.7" }, { clientIp: "203.0.113.7" }],
    [{ clientIp: "::ffff:203.0.113.7" }, { clientIp: "203.0.113.7" }],
    [{ clientIp: "2001:DB8:0:1::7" }, { clientIp: "2001:db8:0:1::/64" }],
    [{ userAgent: "x".repeat(512) }, { userAgent: "x".repeat(512) }],
    [{ deviceId: "d-1" }, { deviceId: "d-1" }],
    [{ tags: {} }, {}],
    [{ tags: { plan: "a:b" } }, { tags: { plan: "a:b" } }],
    [{ tags: tags(10) }, { tags: tags(10) }]
  ])("%j is stored as %j", (given, stored) => {
    assert.deepStrictEqual(checkContext(given), Result.succeed(stored))
  })

  it.each<readonly [keyof GivenContext, GivenContext]>([
    ["clientIp", { clientIp: "203.0.113.007" }],
    ["clientIp", { clientIp: "" }],
    ["userAgent", { userAgent: "x".repeat(513) }],
    ["userAgent", { userAgent: "a\u0000b" }],
    ["deviceId", { deviceId: "" }],
    ["deviceId", { deviceId: "\ud800" }],
    ["tags", { tags: tags(11) }],
    ["tags", { tags: { "": "x" } }],
    ["tags", { tags: { "a:b": "x" } }],
    ["tags", { tags: { plan: "" } }],
    ["tags", { tags: { plan: "x".repeat(65) } }],
    ["tags", { tags: { plan: 1 } }]
  ])("is refused with the field %s: %j", (field, given) => {
    const refused = checkContext(given)
    assert.strictEqual(Result.isFailure(refused) ? refused.failure.field : null, field)
  })

  it.effect("is kept with the verification, and a resend without one keeps it", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ idle: true })
      const context = { clientIp: "203.0.113.7", userAgent: "Firefox", deviceId: "d-1", tags: { plan: "trial" } }
      const { verification } = yield* ask(w, w.live, null, indian, context)
      assert.deepStrictEqual(verification.context, context)
      const resent = yield* w.verifications.initiate(w.live, otp(indian))
      assert.deepStrictEqual([resent.verification.resends, resent.verification.context], [1, context])
      const changed = yield* w.verifications.initiate(w.live, otp(indian, { tags: { plan: "paid" } }))
      assert.deepStrictEqual(changed.verification.context, { tags: { plan: "paid" } })
    })
  )

  it.effect("hides the address and the device from a team member, who sees masked identities", () =>
    Effect.gen(function* () {
      const { live } = yield* makeWorld({ idle: true })
      const context = { clientIp: "203.0.113.7", deviceId: "d-1", tags: { plan: "trial" } }
      const person = { agentId: "agt_1", role: "OWNER" } as never
      assert.deepStrictEqual(seenContext(live, context), { ...context, userAgent: null })
      assert.deepStrictEqual(seenContext({ ...live, person }, context), {
        clientIp: null,
        userAgent: null,
        deviceId: null,
        tags: { plan: "trial" }
      })
      assert.isNull(seenContext(live, undefined))
    })
  )
})
