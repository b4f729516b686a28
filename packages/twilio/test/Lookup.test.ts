import { InvalidOptions, type LineFact, type LineInfoError } from "@countersign/core/channel"
import { LineInfoTest } from "@countersign/testkit"
import { TwilioLookupSimulator } from "@countersign/testkit/simulators"
import { Twilio } from "@countersign/twilio"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Redacted } from "effect"

const accountSid = "AC00000000000000000000000000000001"
const authToken = "simulated_auth_token_0123456789ab"
const all: ReadonlyArray<LineFact> = ["type", "carrier", "simSwapped", "simSwappedAt", "recycled"]
const asha = "+919876543210"
const hour = 3_600_000

const make = (url: string, more: Partial<Twilio.LookupOptions> = {}) =>
  Twilio.lineInfo({ accountSid, authToken: Redacted.make(authToken), lookupUrl: url, apiUrl: url, facts: all, ...more })

const basic = Buffer.from(`${accountSid}:${authToken}`).toString("base64")

LineInfoTest.suite("of Twilio Lookup", {
  provider: TwilioLookupSimulator.make(),
  make: (url) => Effect.orDie(make(url)),
  secrets: [authToken, basic]
})

LineInfoTest.suite("of Twilio Lookup where carriers tell no date", {
  provider: TwilioLookupSimulator.make({ tellsSwapDate: false }),
  make: (url) => Effect.orDie(make(url, { facts: ["type", "carrier", "simSwapped", "recycled"] })),
  secrets: [authToken, basic]
})

const request = (...facts: ReadonlyArray<LineFact>) => ({
  number: asha,
  facts,
  simSwapHours: 48,
  recycledSince: "2025-01-31"
})

const short = ({ reason }: LineInfoError) =>
  `${reason._tag} ${reason.providerCode}${"because" in reason ? ` ${reason.because}` : ""}`

describe("a request to Twilio Lookup", () => {
  it.effect("names the packages of the requested facts, and so pays for no other", () =>
    Effect.gen(function* () {
      const twilio = yield* TwilioLookupSimulator.make()
      yield* twilio.know({ number: asha, type: "mobile" })
      const lookup = yield* make(twilio.url)
      yield* lookup.lookUp(request("type", "carrier"))
      yield* lookup.lookUp(request("simSwapped"))
      yield* lookup.lookUp(request("type", "simSwappedAt", "recycled"))
      const lines = (yield* twilio.seen).map((raw) => raw.split("\r\n")[0])
      assert.deepStrictEqual(lines, [
        "GET /v2/PhoneNumbers/%2B919876543210?Fields=line_type_intelligence HTTP/1.1",
        "GET /v2/PhoneNumbers/%2B919876543210?Fields=sim_swap HTTP/1.1",
        "GET /v2/PhoneNumbers/%2B919876543210?Fields=line_type_intelligence,sim_swap,reassigned_number&LastVerifiedDate=20250131 HTTP/1.1"
      ])
      const [first] = yield* twilio.seen
      assert.include(first!, `authorization: Basic ${basic}`)
      for (const raw of yield* twilio.seen) assert.notMatch(raw, /^(traceparent|b3|cookie):/im)
    })
  )
})

describe("an answer of Twilio Lookup", () => {
  it.effect("keeps words that Countersign does not know, and an error of one package is an unknown fact", () =>
    Effect.gen(function* () {
      const twilio = yield* TwilioLookupSimulator.make()
      const lookup = yield* make(twilio.url)
      const now = yield* Clock.currentTimeMillis
      yield* twilio.know({ number: asha, type: "satellite", simSwappedAt: now - hour })
      yield* twilio.failPackages({ sim_swap: 60008, reassigned_number: 60620 })
      assert.deepStrictEqual(yield* lookup.lookUp(request(...all)), {
        type: "satellite",
        carrier: null,
        simSwapped: null,
        simSwappedAt: null,
        recycled: null
      })
      yield* twilio.know({ number: asha, type: "unknown" })
      assert.isNull((yield* lookup.lookUp(request("type"))).type)
    })
  )

  it.effect("without a date tells of a swap only what its period says about the requested hours", () =>
    Effect.gen(function* () {
      const twilio = yield* TwilioLookupSimulator.make({ tellsSwapDate: false })
      const lookup = yield* make(twilio.url)
      const now = yield* Clock.currentTimeMillis
      const swapped = (simSwapHours: number) =>
        Effect.map(lookup.lookUp({ ...request("simSwapped"), simSwapHours }), (facts) => facts.simSwapped)
      yield* twilio.know({ number: asha, simSwappedAt: now - hour })
      assert.deepStrictEqual([yield* swapped(24), yield* swapped(48), yield* swapped(240)], [null, true, true])
      yield* twilio.know({ number: asha })
      assert.deepStrictEqual([yield* swapped(24), yield* swapped(48), yield* swapped(240)], [false, false, null])
    })
  )

  it.effect("that refuses the account names Twilio's code, and check asks for the account alone", () =>
    Effect.gen(function* () {
      const twilio = yield* TwilioLookupSimulator.make()
      const lookup = yield* make(twilio.url, { authToken: Redacted.make("another_token") })
      assert.strictEqual(short(yield* Effect.flip(lookup.lookUp(request("type")))), "Refused 20003 account")
      const right = yield* make(twilio.url)
      assert.deepStrictEqual(yield* right.check!, { detail: "the account is active" })
      assert.deepStrictEqual(yield* twilio.charged, [])
    })
  )
})

describe("the options of Twilio Lookup", () => {
  it.effect("that cannot work are all named, without their values", () =>
    Effect.gen(function* () {
      const problem = yield* Effect.flip(
        Twilio.lineInfo({
          accountSid: "AC-wrong",
          authToken: Redacted.make("two words"),
          facts: [],
          prefixes: ["+91"],
          lookupUrl: "ftp://x",
          apiUrl: "nonsense"
        })
      )
      assert.instanceOf(problem, InvalidOptions)
      assert.lengthOf(problem.problems, 6)
      assert.notMatch(problem.message, /two words|AC-wrong|nonsense/)
    })
  )
})
