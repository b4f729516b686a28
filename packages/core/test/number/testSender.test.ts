import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { makeInbox, ownNumber } from "../fixtures/InboxWorld.ts"
import { indian, makeWorld, otp } from "../fixtures/World.ts"

const from = (wabaId: string) => otp(indian, { channel: "WHATSAPP", wabaId })

describe("the field wabaId in a test environment", () => {
  it.effect("is accepted or refused as in live", () =>
    Effect.gen(function* () {
      const w = yield* makeInbox()
      const refused = { _tag: "InvalidField", field: "wabaId" } as const
      assert.deepInclude(yield* Effect.flip(w.verifications.initiate(w.test, from("123456789012345"))), refused)
      yield* w.verifications.initiate(w.test, from(ownNumber))
      yield* w.numbers.connect(w.live, { phoneNumberId: "200", wabaId: "1", accessToken: Redacted.make("token") })
      yield* w.verifications.initiate(w.test, from("200"))
      const keys = yield* Effect.orDie(w.merchants.create("Other"))
      const other = yield* Effect.orDie(w.merchants.authenticate(keys.test.clientId, keys.test.clientSecret))
      assert.deepInclude(yield* Effect.flip(w.verifications.initiate(other, from("200"))), refused)
    })
  )

  it.effect("is refused on a server without WhatsApp", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ channels: [] })
      const error = yield* Effect.flip(w.verifications.initiate(w.test, from("123456789012345")))
      assert.deepInclude(error, { _tag: "InvalidField", field: "wabaId" })
    })
  )
})
