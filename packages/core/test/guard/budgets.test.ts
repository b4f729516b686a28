import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { TryIt } from "../../src/index.ts"
import { begin, makeAppWorld } from "../fixtures/apps.ts"
import { accepted, recordingChannel, refused } from "../fixtures/RecordingChannel.ts"
import { indian, makeProcess, otp, until, withSettings } from "../fixtures/World.ts"

const makeSender = Effect.fnUntraced(function* (
  answers: Parameters<typeof recordingChannel>[1] = [accepted],
  idle = false
) {
  const sms = recordingChannel("SMS", answers)
  const whatsapp = recordingChannel("WHATSAPP", [accepted])
  const world = yield* makeAppWorld({ channels: [sms.channel, whatsapp.channel], idle })
  const ends = (effect: Effect.Effect<unknown, { readonly _tag: string }>) =>
    effect.pipe(
      Effect.as("sent"),
      Effect.catch((error) => Effect.succeed("limit" in error ? `limited by ${String(error.limit)}` : error._tag))
    )
  return { ...world, sms, whatsapp, ends, sent: () => sms.received.length + whatsapp.received.length }
})

type Sender = Effect.Success<ReturnType<typeof makeSender>>

const one = { hourlyLimitPerMerchant: 1 }
const numberOf = (n: number) => `+9198765${String(43_000 + n)}`

/** Every way to request a message to a number. */
const requests: {
  readonly [path: string]: (world: Sender, settings: Parameters<typeof withSettings>[1]) => Effect.Effect<string>
} = {
  "a code that a backend requests": ({ ends, live, verifications }, settings) =>
    ends(verifications.initiate(withSettings(live, settings), otp(numberOf(1)))),
  "a resend that a backend requests": ({ ends, live, verifications }, settings) =>
    ends(verifications.initiate(withSettings(live, settings), otp(indian))),
  "a link that a backend requests": ({ ends, live, verifications }, settings) =>
    ends(verifications.initiate(withSettings(live, settings), { ...otp(numberOf(2)), mode: "MAGIC_LINK" })),
  "a code that an app requests": ({ app, ends, ...world }, settings) =>
    ends(begin(world, withSettings(app, settings), { phone: numberOf(3) })),
  "a code that another system made": ({ ends, live, relays }, settings) =>
    ends(relays.relay(withSettings(live, settings), { identity: numberOf(5), code: "482913", idempotencyKey: null })),
  "a code that a team member tries": ({ ends, live, services }, settings) =>
    ends(Context.get(services, TryIt).start(withSettings(live, settings), { identity: numberOf(4) }))
}

describe("an hourly budget of messages", () => {
  for (const [path, request] of Object.entries(requests)) {
    it.effect(`is counted and enforced for ${path}`, () =>
      Effect.gen(function* () {
        const world = yield* makeSender()
        yield* world.verifications.initiate(withSettings(world.live, one), otp(indian))
        const before = (yield* world.events(world.live)).length
        assert.strictEqual(yield* request(world, one), "limited by hourlyLimitPerMerchant")
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(world.sent(), 1)
        assert.strictEqual((yield* world.events(world.live)).length, before)
      })
    )

    it.effect(`has room again after an hour for ${path}`, () =>
      Effect.gen(function* () {
        const world = yield* makeSender([accepted], true)
        yield* world.verifications.initiate(withSettings(world.live, one), otp(indian))
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* request(world, one), "limited by hourlyLimitPerMerchant")
        yield* TestClock.adjust("61 minutes")
        const two = { hourlyLimitPerMerchant: 2 }
        assert.strictEqual(yield* request(world, two), "sent")
        yield* world.verifications.initiate(withSettings(world.live, two), otp(numberOf(9)))
        assert.strictEqual(yield* request(world, two), "limited by hourlyLimitPerMerchant")
      })
    )
  }

  it.effect("is refused by the budget that is full, and other prefixes and countries go on", () =>
    Effect.gen(function* () {
      const { ends, live, test, verifications } = yield* makeSender()
      const send = (identity: string, caller = live) =>
        ends(
          verifications.initiate(
            withSettings(caller, { hourlyLimitPerPrefix: 1, hourlyLimitPerCountry: 2 }),
            otp(identity)
          )
        )
      assert.deepStrictEqual(
        [
          yield* send("+998912340001"),
          yield* send("+998912340002"),
          yield* send("+998912350001"),
          yield* send("+998912360001"),
          yield* send("+919876543210"),
          // Each environment has its own budgets.
          yield* send("+998912340001", test)
        ],
        ["sent", "limited by hourlyLimitPerPrefix", "sent", "limited by hourlyLimitPerCountry", "sent", "sent"]
      )
    })
  )

  it.effect("does not count e-mails, OneTap and repeats, and returns a repeat although it is full", () =>
    Effect.gen(function* () {
      const { codeOf, ends, live, verifications } = yield* makeSender()
      const caller = withSettings(live, { ...one, oneTap: true })
      const first = yield* verifications.initiate(caller, otp(indian), "k1")
      const repeat = yield* verifications.initiate(caller, otp(indian), "k1")
      assert.deepStrictEqual([repeat.repeated, repeat.verification.id], [true, first.verification.id])
      const requestId = first.verification.id
      const deviceToken = first.deviceToken!
      yield* verifications.verify(caller, { requestId, otp: codeOf(first.verification), deviceToken })
      assert.isTrue((yield* verifications.initiate(caller, otp(indian, { deviceToken }))).oneTapApplied)
      const mail = { identity: "a@example.com", identityType: "EMAIL", mode: "OTP" }
      assert.include(["sent", "InvalidChannel"], yield* ends(verifications.initiate(caller, mail)))
      assert.strictEqual(
        yield* ends(verifications.initiate(caller, otp(numberOf(1)))),
        "limited by hourlyLimitPerMerchant"
      )
    })
  )

  it.effect("lets exactly as many of 200 concurrent requests through as it has room for", () =>
    Effect.gen(function* () {
      const { ends, live, verifications } = yield* makeSender()
      const caller = withSettings(live, { hourlyLimitPerMerchant: 20, hourlyLimit: 100, canonicalHourlyLimit: 0 })
      // Several requests race for each number, so that some commits conflict and are decided again.
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 200 }, (_, n) => numberOf(n % 40)),
        (identity) => ends(verifications.initiate(caller, otp(identity))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(outcomes.filter((outcome) => outcome === "sent").length, 20)
      assert.strictEqual(outcomes.filter((outcome) => outcome === "limited by hourlyLimitPerMerchant").length, 180)
    })
  )

  it.effect("is known after a restart, and other processes count a message when it is a minute old", () =>
    Effect.gen(function* () {
      const { ends, live, storage, verifications } = yield* makeSender()
      const caller = withSettings(live, { hourlyLimitPerMerchant: 5 })
      for (let n = 0; n < 4; n++) yield* verifications.initiate(caller, otp(numberOf(n)))
      yield* TestClock.adjust("2 minutes")
      const next = yield* makeProcess(storage, { idle: true })
      const again = (n: number) => ends(next.verifications.initiate(caller, otp(numberOf(n))))
      // The first request lets the process read the past in the background.
      assert.strictEqual(yield* again(10), "sent")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* again(11), "limited by hourlyLimitPerMerchant")
    })
  )

  it.effect("stops the fallback, and the timeline says why", () =>
    Effect.gen(function* () {
      const { live, merchants, verifications, whatsapp } = yield* makeSender([refused("SMS")])
      yield* merchants.changeSettings(live, one)
      const caller = withSettings(live, { ...one, fallbackChannel: "WHATSAPP" })
      const { id } = (yield* verifications.initiate(caller, otp(indian))).verification
      const deliveries = Effect.map(verifications.status(live, { requestId: id }), (found) => found)
      yield* until(Effect.map(Effect.orDie(deliveries), ({ status }) => status === "FAILED"))
      const { story = [] } = yield* deliveries
      assert.deepInclude(
        story.map(([, what, why]) => [what, why]),
        ["no fallback", "limit reached"]
      )
      assert.strictEqual(whatsapp.received.length, 0)
    })
  )
})
