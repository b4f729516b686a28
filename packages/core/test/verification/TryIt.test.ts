import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import {
  Audit,
  AttemptsExhausted,
  invalidField,
  Problem,
  TryIt,
  UnknownVerification,
  VerificationExpired
} from "../../src/index.ts"
import { recordingChannel } from "../fixtures/RecordingChannel.ts"
import { answer, indian, makeWorld, otp, until, withSettings, wrong } from "../fixtures/World.ts"

const makeTrials = Effect.gen(function* () {
  const sms = recordingChannel("SMS")
  const world = yield* makeWorld({ channels: [sms.channel] })
  const { live, services } = world
  const trials = Context.get(services, TryIt)
  const entries = Context.get(services, Audit).list(live, { action: "verification.tried" }, { after: null, limit: 100 })
  return { ...world, sms, trials, entries }
})

describe("a trial code in the dashboard", () => {
  it.effect("is sent and counted as for a backend, and is audited with the number masked", () =>
    Effect.gen(function* () {
      const { entries, events, live, sms, trials } = yield* makeTrials
      const { channel, id, orderId, path } = yield* trials.start(live, { identity: indian })
      assert.deepStrictEqual({ channel, orderId, path }, { channel: "SMS", orderId: null, path: "SERVER" })
      yield* until(Effect.sync(() => sms.received.length === 1))
      const { code } = sms.received[0]!
      const { verification: pending, ...first } = yield* trials.verify(live, id, wrong(code))
      assert.deepStrictEqual([first, pending.status], [{ verified: false, attemptsLeft: 2 }, "PENDING"])
      const { verification, ...second } = yield* trials.verify(live, id, ` ${code} `)
      assert.deepStrictEqual([second, verification.status], [{ verified: true, attemptsLeft: 2 }, "VERIFIED"])
      assert.deepStrictEqual(
        (yield* events(live)).map(({ type }) => type),
        ["otp.initiated", "otp.verified"]
      )
      const told = yield* entries
      assert.deepStrictEqual(
        told.map(({ actor, target, to }) => [actor.kind, target, to]),
        [["KEY", { kind: "verification", id }, { identity: "+91******3210", channel: "SMS", locale: null }]]
      )
    })
  )

  it.effect("never resends a customer's login, nor the other way round; each has its own code", () =>
    Effect.gen(function* () {
      const { codeOf, live, sms, trials, verifications } = yield* makeTrials
      const login = (yield* verifications.initiate(live, otp(indian))).verification
      const trial = yield* trials.start(live, { identity: indian })
      const again = (yield* verifications.initiate(live, otp(indian, { orderId: "o1" }))).verification
      assert.strictEqual(again.id, login.id)
      assert.notStrictEqual(trial.id, login.id)
      assert.strictEqual((yield* trials.start(live, { identity: indian })).id, trial.id)
      yield* until(Effect.sync(() => sms.received.length === 4))
      // The customer's code does not verify the trial, and the trial cannot read the customer's login.
      assert.isFalse((yield* trials.verify(live, trial.id, codeOf(login))).verified)
      assert.deepStrictEqual(
        yield* Effect.exit(trials.verify(live, login.id, codeOf(login))),
        Exit.fail(new UnknownVerification())
      )
      assert.strictEqual((yield* verifications.status(live, { requestId: login.id })).attempts, 0)
      assert.strictEqual(answer(yield* verifications.verify(live, { orderId: "o1", otp: codeOf(login) })), "right")
      assert.isTrue((yield* trials.verify(live, trial.id, codeOf(trial))).verified)
    })
  )

  it.effect("is unknown under an id of another environment, of an app, or a malformed id", () =>
    Effect.gen(function* () {
      const { live, sdk, test, trials } = yield* makeTrials
      const { id } = yield* trials.start(live, { identity: indian })
      const start = yield* sdk.admit(live, { phone: indian }, null)
      const ofApp = (yield* start(null)).verification.id
      for (const [caller, requestId] of [
        [test, id],
        [live, ofApp],
        [live, "ver_00000000000000000000000000"],
        [live, "' or 1=1"]
      ] as const)
        assert.deepStrictEqual(
          yield* Effect.exit(trials.verify(caller, requestId, "123456")),
          Exit.fail(new UnknownVerification()),
          requestId
        )
    })
  )

  it.effect("fails with VerificationExpired after its time, and with AttemptsExhausted after its attempts", () =>
    Effect.gen(function* () {
      const { codeOf, live, trials } = yield* makeTrials
      const first = yield* trials.start(withSettings(live, { maxAttempts: 1 }), { identity: indian })
      assert.strictEqual((yield* trials.verify(live, first.id, wrong(codeOf(first)))).attemptsLeft, 0)
      assert.deepStrictEqual(
        yield* Effect.exit(trials.verify(live, first.id, codeOf(first))),
        Exit.fail(new AttemptsExhausted({ requestId: first.id }))
      )
      const second = yield* trials.start(live, { identity: indian })
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual(
        yield* Effect.exit(trials.verify(live, second.id, codeOf(second))),
        Exit.fail(new VerificationExpired({ requestId: second.id, undeliverable: false }))
      )
    })
  )

  it.effect("is written in the requested language; each language starts a verification of its own", () =>
    Effect.gen(function* () {
      const { live, sms, trials } = yield* makeTrials
      const english = yield* trials.start(live, { identity: indian })
      const hindi = yield* trials.start(live, { identity: indian, locale: "hi" })
      assert.notStrictEqual(hindi.id, english.id)
      yield* until(Effect.sync(() => sms.received.length === 2))
      assert.match(sms.received[0]!.text, /code/)
      assert.match(sms.received[1]!.text, /[\u0900-\u097f]/)
      assert.deepStrictEqual(
        yield* Effect.exit(trials.start(live, { identity: indian, locale: "HINDI" })),
        Exit.fail(invalidField("locale", Problem.of("LANGUAGE")))
      )
    })
  )

  it.effect("has the limits of a backend and 60 an hour of its own, and a refused trial leaves no audit entry", () =>
    Effect.gen(function* () {
      const { entries, live, trials, verifications } = yield* makeTrials
      const strict = withSettings(live, { hourlyLimit: 1 })
      yield* verifications.initiate(strict, otp(indian))
      const limited = yield* Effect.flip(trials.start(strict, { identity: indian }))
      assert.deepInclude(limited, { _tag: "RateLimited", limit: "spelling" })
      assert.deepStrictEqual(yield* entries, [])
      const numbers = Array.from({ length: 60 }, (_, i) => `+9198765432${String(i).padStart(2, "0")}`)
      yield* Effect.forEach(numbers, (identity) => trials.start(live, { identity }))
      const full = yield* Effect.flip(trials.start(live, { identity: "+919876543299" }))
      assert.deepInclude(full, { _tag: "RateLimited", limit: "trials" })
      assert.strictEqual((yield* verifications.initiate(live, otp("+919876543299"))).repeated, false)
      yield* TestClock.adjust("61 minutes")
      yield* trials.start(live, { identity: "+919876543299" })
    })
  )

  it.effect("is sent once for one idempotency key", () =>
    Effect.gen(function* () {
      const { entries, live, sms, trials } = yield* makeTrials
      const first = yield* trials.start(live, { identity: indian }, "k1")
      assert.strictEqual((yield* trials.start(live, { identity: indian }, "k1")).id, first.id)
      yield* until(Effect.sync(() => sms.received.length === 1))
      assert.strictEqual((yield* entries).length, 1)
    })
  )
})
