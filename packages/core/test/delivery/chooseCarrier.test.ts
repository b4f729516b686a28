import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import type { Channel } from "../../src/index.channel.ts"
import { carrierOf, chooseCarrier, rulesFrom, rulesOf } from "../../src/foundation/delivery/chooseCarrier.ts"

const carrier = (provider: string, more: Partial<Channel> = {}): Channel => ({
  name: "SMS",
  provider,
  supports: { identityTypes: ["MOBILE"], receipts: true },
  send: () => Effect.succeed({ providerId: null }),
  ...more
})

const names = (carriers: ReadonlyArray<Channel>) => carriers.map(carrierOf)
const nobodyRests = () => false

describe("a table of carriers", () => {
  const all = ["twilio", "vonage", "msg91"].map((provider) => carrier(provider))
  const rules = rulesFrom(
    [
      { prefix: "", carriers: ["twilio", "vonage"] },
      { prefix: "91", carriers: ["msg91", "twilio"] },
      { prefix: "9170", carriers: ["vonage"] }
    ],
    all
  )

  it.each([
    ["+919876543210", ["msg91", "twilio"]],
    ["+917012345678", ["vonage"]],
    ["+12025550123", ["twilio", "vonage"]],
    ["person@example.com", ["twilio", "vonage"]]
  ])("sends a message to %s by the carriers of the longest prefix: %j", (to, expected) => {
    assert.deepStrictEqual(names(chooseCarrier(rules, to, nobodyRests)), expected)
  })

  it("puts a carrier with an open circuit after the healthy ones", () => {
    const isResting = ({ provider }: Channel) => provider === "msg91"
    assert.deepStrictEqual(names(chooseCarrier(rules, "+919876543210", isResting)), ["twilio", "msg91"])
  })
})

describe("carriers with prefixes", () => {
  it("come first for those numbers, and carriers without prefixes accept every number", () => {
    const rules = rulesOf([carrier("twilio"), carrier("msg91", { prefixes: ["91"] }), carrier("vonage")])
    assert.deepStrictEqual(names(chooseCarrier(rules, "+919876543210", nobodyRests)), ["msg91", "twilio", "vonage"])
    assert.deepStrictEqual(names(chooseCarrier(rules, "+12025550123", nobodyRests)), ["twilio", "vonage"])
  })

  it("are ordered by price where the service prefers that", () => {
    const priced = [carrier("twilio", { price: 30 }), carrier("msg91", { price: 12 }), carrier("free")]
    const rules = rulesOf(priced, "price")
    assert.deepStrictEqual(names(chooseCarrier(rules, "+12025550123", nobodyRests)), ["msg91", "twilio", "free"])
  })
})

describe("the order of carriers", () => {
  const digits = Arbitrary.map(
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99_999 }))),
    String
  )
  const prefix = Arbitrary.map(digits, (all) => all.slice(0, 3))
  it.prop(
    "contains each carrier for the number once, the healthy ones first, and no other",
    [Arbitrary.array(Arbitrary.array(prefix, { maxLength: 3 }), { maxLength: 5 }), digits],
    ([all, number]) => {
      const carriers = all.map((prefixes, i) => carrier(`c${i}`, prefixes.length === 0 ? {} : { prefixes }))
      const isResting = ({ provider }: Channel) => Number(provider.slice(1)) % 2 === 0
      const chosen = chooseCarrier(rulesOf(carriers), `+${number}`, isResting)
      const taking = carriers.filter(({ prefixes = [""] }) => prefixes.some((each) => number.startsWith(each)))
      assert.deepStrictEqual(names(chosen).toSorted(), names(taking).toSorted())
      const resting = chosen.map(isResting)
      assert.deepStrictEqual(
        resting,
        resting.toSorted((a, b) => Number(a) - Number(b))
      )
    }
  )
})
