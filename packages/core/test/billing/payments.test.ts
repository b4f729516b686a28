import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { type Caller, History, Statistics } from "../../src/index.ts"
import type { Receipt } from "../../src/index.channel.ts"
import { amountOf, fundsOf, makePayer, moves, payIn } from "../fixtures/money.ts"
import {
  accepted,
  type Answer,
  recordingChannel,
  refused,
  unavailable,
  unknownOutcome
} from "../fixtures/RecordingChannel.ts"
import { indian, otp, type World, withSettings } from "../fixtures/World.ts"

const key = "0b9b8c5e-8d2f-4a8e-9a55-6d6f6f1f8a01"

/** The number of requests with each outcome. */
const tally = (outcomes: ReadonlyArray<string>) =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(outcomes, (one) => one),
      ([what, all]) => [what, all.length]
    )
  )

const outcome = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.result(effect), (result) => (Result.isSuccess(result) ? "started" : result.failure._tag))

const refusalOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) => Effect.flip(effect)

/** A paying merchant and a verification by SMS with WhatsApp as fallback. */
const fallingBack = Effect.fnUntraced(function* (amount: number, sms: ReadonlyArray<Answer>, settings = {}) {
  const [first, second] = [recordingChannel("SMS", sms), recordingChannel("WHATSAPP")]
  const world = yield* makePayer(
    amount,
    { fallbackChannel: "WHATSAPP", ...settings },
    { channels: [first.channel, second.channel] }
  )
  const { verification } = yield* world.verifications.initiate(world.live, otp(indian))
  yield* TestClock.adjust("1 second")
  const reference = { requestId: verification.id }
  return {
    ...world,
    id: verification.id,
    sms: first.received,
    whatsapp: second.received,
    report: (status: Receipt["status"], message = first.received[0]!) =>
      world.receipts.record({ reference: message.reference, status, providerId: null, providerCode: null }),
    state: Effect.map(world.verifications.status(world.live, reference), ({ deliveries, status }) => [
      status,
      ...deliveries.map((one) => `${one.channel} ${one.status}`)
    ]),
    why: Effect.map(Context.get(world.services, History).timeline(world.live, verification.id), (items) =>
      items.filter(({ kind }) => kind === "FALLBACK_SKIPPED").map(({ reason }) => reason)
    )
  }
})

const lowEvents = (world: Pick<World, "events">, live: Caller) =>
  Effect.map(world.events(live), (all) => all.flatMap(({ data, type }) => (type === "balance.low" ? [data] : [])))

describe("a send with a price", () => {
  it.effect("is charged once, and 100 concurrent sends to different people use a balance of 5 exactly", () =>
    Effect.gen(function* () {
      const world = yield* makePayer(5, { prices: { SMS: 1 } })
      const outcomes = yield* Effect.all(
        Array.from({ length: 100 }, (_, n) =>
          outcome(world.verifications.initiate(world.live, otp(`98765432${String(n).padStart(2, "0")}`)))
        ),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(tally(outcomes), { started: 5, PaymentRequired: 95 })
      assert.strictEqual(yield* amountOf(world, world.live), 0)
      assert.deepStrictEqual(yield* moves(world, world.live), ["TOP_UP 5", ...Array<string>(5).fill("SEND -1")])
    })
  )

  it.effect("is refused for the balance, for a missing price and for the daily cap, and the error says which", () =>
    Effect.gen(function* () {
      const world = yield* makePayer(45, { dailyCap: { SMS: 30 }, prices: { SMS: 20, WHATSAPP: 50 } })
      const { live, verifications } = world
      const why = (caller: Caller, identity: string, channel = "SMS") =>
        refusalOf(verifications.initiate(caller, otp(identity, { channel })))
      yield* verifications.initiate(live, otp(indian))
      const amounts = { currency: "INR", price: 20, left: 10 }
      assert.deepInclude(yield* why(live, "9876543211"), {
        _tag: "PaymentRequired",
        channel: "SMS",
        why: "CAP",
        amounts
      })
      assert.deepInclude(yield* why(live, "9876543211", "WHATSAPP"), {
        why: "BALANCE",
        amounts: { currency: "INR", price: 50, left: 25 }
      })
      assert.deepInclude(yield* why(live, "a@example.com", "EMAIL"), { why: "NO_PRICE", amounts: null })
      // Nothing was stored or counted.
      assert.deepStrictEqual(yield* moves(world, live), ["TOP_UP 45", "SEND -20"])
      assert.lengthOf(yield* world.events(live), 1)
      // A limit refuses first, whether or not the balance suffices.
      const { verification } = yield* verifications.initiate(withSettings(live, { dailyCap: {} }), otp(indian))
      const limited = withSettings(live, { maxResends: 1, prices: {} })
      assert.strictEqual((yield* why(limited, indian))._tag, "RateLimited")
      assert.deepInclude(yield* why(live, indian), { why: "BALANCE", requestId: verification.id })
    })
  )

  it.effect("is refused for its template before its payment, and for its payment before its provider", () =>
    Effect.gen(function* () {
      const sms = recordingChannel("SMS", [unavailable("SMS")])
      const { sdk, verifications, ...world } = yield* makePayer(
        100,
        { fallbackChannel: "WHATSAPP", prices: { SMS: 20 } },
        { channels: [sms.channel, recordingChannel("WHATSAPP").channel] }
      )
      const initiate = (n: number) => verifications.initiate(world.live, otp(`987654320${n}`))
      for (let n = 0; n < 5; n++) yield* initiate(n)
      yield* TestClock.adjust("1 second")
      const app = yield* sdk.admit(world.live, { phone: indian, template: "none" }, null)
      assert.deepInclude(yield* refusalOf(initiate(5)), { _tag: "PaymentRequired", why: "BALANCE" })
      assert.strictEqual((yield* refusalOf(app(null)))._tag, "TemplateUnusable")
      yield* payIn(world, world.live, 100)
      // The fallback has no price, so it cannot replace the provider with the open circuit.
      assert.strictEqual((yield* refusalOf(initiate(5)))._tag, "ProviderUnavailable")
      const both = withSettings(world.live, { prices: { SMS: 20, WHATSAPP: 50 } })
      yield* verifications.initiate(both, otp("9876543205"))
    })
  )

  it.effect("is refused to an app without amounts in the error", () =>
    Effect.gen(function* () {
      const world = yield* makePayer(10)
      const start = yield* world.sdk.admit(world.live, { phone: indian }, null)
      assert.deepInclude(yield* refusalOf(start(null)), { _tag: "PaymentRequired", why: "BALANCE", amounts: null })
    })
  )

  it.effect("is charged once with a repeat of its request, and again with a resend", () =>
    Effect.gen(function* () {
      const world = yield* makePayer(100)
      const initiate = (command: string | null) => world.verifications.initiate(world.live, otp(indian), command)
      const first = yield* initiate(key)
      assert.strictEqual((yield* initiate(key)).verification.id, first.verification.id)
      assert.strictEqual(yield* amountOf(world, world.live), 80)
      yield* initiate(null)
      assert.strictEqual(yield* amountOf(world, world.live), 60)
    })
  )

  it.effect("is free with a price of zero, with billing off, and for a trusted device", () =>
    Effect.gen(function* () {
      const world = yield* makePayer(0, { prices: { SMS: 0 }, oneTap: true })
      const { live, verifications } = world
      const { deviceToken, verification } = yield* verifications.initiate(live, otp(indian))
      yield* verifications.verify(live, { requestId: verification.id, otp: world.codeOf(verification), deviceToken })
      const dear = withSettings(live, { prices: { SMS: 20 } })
      assert.isTrue((yield* verifications.initiate(dear, otp(indian, { deviceToken }))).oneTapApplied)
      yield* verifications.initiate(withSettings(live, { billing: "OFF", prices: { SMS: 20 } }), otp("9876543211"))
      assert.deepStrictEqual(yield* moves(world, live), [])
    })
  )

  it.effect("in a test environment uses the balance of that environment, and is refused when it is too low", () =>
    Effect.gen(function* () {
      const world = yield* makePayer(100)
      const { live, verifications } = world
      const trying = withSettings(world.test, { billing: "PREPAID", prices: { SMS: 20 } })
      const refused = yield* Effect.flip(verifications.initiate(trying, otp(indian)))
      assert.strictEqual(refused._tag, "PaymentRequired")
      yield* verifications.initiate(world.test, otp(indian))
      assert.deepStrictEqual(yield* moves(world, world.test), [])
      assert.deepStrictEqual(yield* moves(world, live), ["TOP_UP 100"])
    })
  )

  it.effect("is refunded once when it failed for good, however often and late the receipts arrive", () =>
    Effect.gen(function* () {
      const { live, report, state, ...world } = yield* fallingBack(100, [accepted], { fallbackChannel: null })
      assert.strictEqual(yield* amountOf(world, live), 80)
      yield* Effect.all([report("FAILED"), report("FAILED"), report("SENT"), report("FAILED"), report("DELIVERED")])
      assert.deepStrictEqual(yield* state, ["FAILED", "SMS FAILED"])
      assert.deepStrictEqual(yield* moves(world, live), ["TOP_UP 100", "SEND -20", "REFUND 20"])
      assert.deepStrictEqual((yield* fundsOf(world, live)).spent, { SMS: 0 })
    })
  )

  it.effect("without an answer is not refunded when its code was entered", () =>
    Effect.gen(function* () {
      const { channel, received } = recordingChannel("SMS", [unknownOutcome("SMS")])
      const { live, verifications, ...world } = yield* makePayer(100, {}, { channels: [channel] })
      const { verification } = yield* verifications.initiate(live, otp(indian))
      yield* TestClock.adjust("100 millis")
      const requestId = verification.id
      yield* verifications.verify(live, { requestId, otp: received[0]!.code })
      yield* TestClock.adjust("1 minute")
      const { deliveries } = yield* verifications.status(live, { requestId })
      assert.deepStrictEqual([received.length, deliveries[0]!.status], [1, "SENT"])
      assert.deepStrictEqual(yield* moves(world, live), ["TOP_UP 100", "SEND -20"])
    })
  )

  it.effect(
    "without an answer is not refunded when the fallback replaces it while the provider's circuit is open",
    () =>
      Effect.gen(function* () {
        const sms = recordingChannel("SMS", [unknownOutcome("SMS")])
        const { live, verifications, ...world } = yield* makePayer(
          1_000,
          { fallbackChannel: "WHATSAPP" },
          { channels: [sms.channel, recordingChannel("WHATSAPP").channel] }
        )
        // Enough sends stay unanswered to open the circuit. Those may have arrived; the others were never sent.
        const people = Array.from({ length: 10 }, (_, n) => otp(`987654321${n}`))
        yield* Effect.all(
          people.map((one) => verifications.initiate(live, one)),
          { concurrency: "unbounded" }
        )
        yield* TestClock.adjust("10 seconds")
        const all = (yield* moves(world, live)).map((move) => move.replace(/ .*/, ""))
        const asked = new Set(sms.received.map(({ to }) => to)).size
        assert.isAbove(asked, 0)
        assert.deepStrictEqual(tally(all), { TOP_UP: 1, SEND: 20, REFUND: people.length - asked })
      })
  )

  it.effect("counts in the spend with its price at the time of the request", () =>
    Effect.gen(function* () {
      const { live, ...world } = yield* makePayer(100)
      yield* world.verifications.initiate(live, otp(indian))
      yield* world.verifications.initiate(withSettings(live, { prices: { SMS: 35 } }), otp("9876543211"))
      yield* TestClock.adjust("1 second")
      const spend = yield* Context.get(world.services, Statistics).spend(live, { groupBy: "channel" })
      assert.deepStrictEqual(spend, [{ group: "SMS", sends: 2, amount: 55, costPerVerified: null }])
    })
  )
})

describe("a fallback with a price", () => {
  it.effect("is charged at its own price, and may use the refund of the failed message", () =>
    Effect.gen(function* () {
      const { live, state, ...world } = yield* fallingBack(50, [refused("SMS")])
      assert.deepStrictEqual(yield* state, ["PENDING", "SMS FAILED", "WHATSAPP SENT"])
      assert.deepStrictEqual(yield* moves(world, live), ["TOP_UP 50", "SEND -20", "REFUND 20", "SEND -50"])
    })
  )

  it.effect("follows a channel without a receipt, whose message is not refunded", () =>
    Effect.gen(function* () {
      const { live, ...world } = yield* fallingBack(70, [accepted])
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(yield* moves(world, live), ["TOP_UP 70", "SEND -20", "SEND -50"])
    })
  )

  it.effect.each([
    ["no money", { amount: 49, settings: {} }, "no fallback: insufficient balance"],
    ["no price", { amount: 100, settings: { prices: { SMS: 20 } } }, "no fallback: its channel has no price"],
    [
      "a cap",
      { amount: 100, settings: { dailyCap: { WHATSAPP: 49 } } },
      "no fallback: its channel reached the daily cap"
    ]
  ] as const)("does not happen for %s: the login continues without a fallback", ([, { amount, settings }, reason]) =>
    Effect.gen(function* () {
      const failed = yield* fallingBack(amount, [refused("SMS")], settings)
      assert.deepStrictEqual(yield* failed.state, ["FAILED", "SMS FAILED"])
      assert.deepStrictEqual(yield* failed.why, [reason])
      assert.deepStrictEqual(
        (yield* failed.events(failed.live)).map(({ type }) => type),
        ["otp.initiated", "delivery.failed"]
      )
      assert.deepStrictEqual(yield* moves(failed, failed.live), [`TOP_UP ${amount}`, "SEND -20", "REFUND 20"])
    })
  )

  it.effect("without enough balance does not follow a channel without a receipt, and the code stays valid", () =>
    Effect.gen(function* () {
      const { id, live, state, whatsapp, why, ...world } = yield* fallingBack(60, [accepted])
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(
        [yield* state, yield* why, whatsapp],
        [["PENDING", "SMS SENT"], ["no fallback: insufficient balance"], []]
      )
      const code = world.codeOf(yield* world.verifications.status(live, { requestId: id }))
      assert.strictEqual((yield* world.verifications.verify(live, { requestId: id, otp: code }))._tag, "Verified")
    })
  )

  it.effect("without enough balance does not replace a provider with an open circuit: the message waits", () =>
    Effect.gen(function* () {
      const busy = Array.from({ length: 6 }, () => unavailable("SMS"))
      const { live, state, ...world } = yield* fallingBack(500, [...busy, accepted], { prices: { SMS: 20 } })
      for (let n = 1; n < 6; n++) yield* Effect.exit(world.verifications.initiate(live, otp(`987654320${n}`)))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* state, ["PENDING", "SMS SENT"])
    })
  )
})

describe("the event balance.low", () => {
  it.effect("is recorded once for each fall below balanceLowAt, also under 20 concurrent sends", () =>
    Effect.gen(function* () {
      const { live, ...world } = yield* makePayer(1_000, { balanceLowAt: 900, hourlyLimit: 1_000 })
      const send = (n: number) => world.verifications.initiate(live, otp(`98765432${10 + n}`))
      yield* Effect.all(Array.from({ length: 5 }, (_, n) => send(n)))
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* lowEvents(world, live), [])
      yield* Effect.all(
        Array.from({ length: 20 }, (_, n) => send(10 + n)),
        { concurrency: "unbounded" }
      )
      yield* TestClock.adjust("5 seconds")
      const told = { balance: 500, threshold: 900, currency: "INR" }
      assert.deepStrictEqual(yield* lowEvents(world, live), [told])
      yield* payIn(world, live, 1_000)
      yield* send(40)
      yield* TestClock.adjust("5 seconds")
      assert.isFalse((yield* fundsOf(world, live)).balance.isLow)
      yield* payIn(world, live, -600)
      yield* send(41)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* lowEvents(world, live), [told, { ...told, balance: 860 }])
    })
  )

  it.effect("is recorded by a refusal for the balance, if no send has recorded it", () =>
    Effect.gen(function* () {
      const { live, ...world } = yield* makePayer(0, { balanceLowAt: 10 })
      for (const identity of [indian, "9876543211"]) {
        assert.strictEqual(
          (yield* refusalOf(world.verifications.initiate(live, otp(identity))))._tag,
          "PaymentRequired"
        )
        yield* TestClock.adjust("5 seconds")
      }
      assert.deepStrictEqual(yield* lowEvents(world, live), [{ balance: 0, threshold: 10, currency: "INR" }])
    })
  )
})
