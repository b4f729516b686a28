import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Links, NumberVerifications, TryIt, Unlocks, Verification } from "../../src/index.ts"
import * as RequestKey from "../../src/foundation/outbox/RequestKey.ts"
import type { RelayRequest } from "../../src/auth/verification/RelayRequest.ts"
import { openCode } from "../../src/auth/verification/relayedCode.ts"
import type { Caller } from "../../src/index.ts"
import { VerificationStore } from "../../src/index.storage.ts"
import {
  accepted,
  type Answer,
  recordingChannel,
  refused,
  unavailable,
  unknownOutcome
} from "../fixtures/RecordingChannel.ts"
import {
  indian,
  makeProcess,
  makeWorld,
  otp,
  secrets,
  start,
  until,
  withSettings,
  type World
} from "../fixtures/World.ts"

const code = "K7M2Q9XZ"
const request: RelayRequest = { identity: indian, code, idempotencyKey: null }

type Report = { readonly status: "DELIVERED" | "FAILED"; readonly because?: "account" | "recipient" }

/** A world whose SMS and WhatsApp answer as told, with WhatsApp as the fallback after 20 seconds. */
const makeRelaying = Effect.fnUntraced(function* (
  answers: ReadonlyArray<Answer> = [accepted],
  { otherCarrier = false }: { readonly otherCarrier?: boolean } = {}
) {
  const sms = recordingChannel("SMS", answers)
  const second = recordingChannel("SMS")
  const whatsapp = recordingChannel("WHATSAPP")
  let reports: ReadonlyArray<Report> = []
  const receive = () =>
    Effect.sync(() => ({
      status: 200,
      contentType: "text/plain",
      body: "",
      receipts: reports.map((report) => ({
        ...report,
        providerId: null,
        providerCode: report.status === "FAILED" ? "30003" : null,
        reference: sms.received[0]!.reference
      })),
      inbound: []
    }))
  const world = yield* makeWorld({
    channels: [
      { ...sms.channel, provider: "first", callback: { name: "first", receive } },
      ...(otherCarrier ? [{ ...second.channel, provider: "second" }] : []),
      whatsapp.channel
    ]
  })
  const live = withSettings(world.live, { fallbackChannel: "WHATSAPP", fallbackAfterSeconds: 20 })
  const report = (...told: ReadonlyArray<Report>) => {
    reports = told
    const call = { method: "POST", url: "https://x.example/", query: {}, header: () => undefined }
    return Effect.andThen(
      Effect.orDie(world.receipts.receive("first", { ...call, body: new Uint8Array() })),
      TestClock.adjust(1)
    )
  }
  return { ...world, live, sms, second, whatsapp, report }
})

const loadOf = Effect.fnUntraced(function* ({ live, storage }: Pick<World, "live" | "storage">, id: string) {
  const verification = yield* Effect.orDie(Context.get(storage, VerificationStore).find(live.environment, id))
  return verification?.kind === "Relayed" ? verification : assert.fail("no relayed code has this id")
})

const isKept = (world: Pick<World, "live" | "storage">, id: string) =>
  Effect.map(loadOf(world, id), ({ sealedCode }) => sealedCode !== null)

/** A verification that has only the fields which a test looks at. */
const changedTo = (flow: object, fields: object): object => ({ ...flow, ...fields })

describe("a relayed code", () => {
  it.effect("is delivered as another system made it, and reported with its deliveries", () =>
    Effect.gen(function* () {
      const world = yield* makeRelaying()
      const relayed = yield* world.relays.relay(world.live, { ...request, purpose: "sign-in", expiresInSeconds: 60 })
      assert.deepInclude(relayed, { deliveryStatus: "PENDING", repeated: false, purpose: "sign-in" })
      assert.strictEqual(relayed.expiresAt, start + 60_000)
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(
        world.sms.received.map((message) => message.code),
        [code]
      )
      assert.include(world.sms.received[0]!.text, code)
      yield* world.report({ status: "DELIVERED" })
      assert.deepInclude(yield* world.relays.get(world.live, relayed.id), { deliveryStatus: "DELIVERED" })
      const events = yield* world.events(world.live)
      assert.deepStrictEqual(
        events.map(({ data, type }) => [type, "deliveryStatus" in data && data.deliveryStatus]),
        [
          ["delivery.updated", "SENT"],
          ["delivery.updated", "DELIVERED"]
        ]
      )
      assert.notInclude(JSON.stringify(events), code)
    })
  )

  it.effect("is written in the language of its request", () =>
    Effect.gen(function* () {
      const world = yield* makeRelaying()
      yield* world.relays.relay(world.live, request)
      yield* world.relays.relay(world.live, { ...request, locale: "hi" })
      yield* until(Effect.sync(() => world.sms.received.length === 2))
      assert.notStrictEqual(world.sms.received[0]!.text, world.sms.received[1]!.text)
    })
  )

  it.effect("is sealed for its record alone until it was delivered", () =>
    Effect.gen(function* () {
      const world = yield* makeRelaying()
      const { id } = yield* world.relays.relay(world.live, request)
      const stored = yield* loadOf(world, id)
      assert.notInclude(JSON.stringify(stored), code)
      assert.isNotNull(yield* openCode(world.keyring, stored))
      assert.isNull(yield* openCode(world.keyring, { ...stored, id: `${id.slice(0, -1)}x` }))
      assert.isNull(yield* openCode(world.keyring, { ...stored, environment: world.test.environment }))
      yield* TestClock.adjust(1)
      assert.isTrue(yield* isKept(world, id))
      yield* world.report({ status: "DELIVERED" })
      assert.isFalse(yield* isKept(world, id))
    })
  )

  it.effect("is dropped with the last send that can happen", () =>
    Effect.gen(function* () {
      const world = yield* makeRelaying()
      const { id } = yield* world.relays.relay(withSettings(world.live, { fallbackChannel: null }), request)
      yield* TestClock.adjust(1)
      assert.deepInclude(yield* world.relays.get(world.live, id), { deliveryStatus: "SENT" })
      assert.isFalse(yield* isKept(world, id))
      const other = yield* makeRelaying([accepted], { otherCarrier: true })
      const kept = yield* other.relays.relay(withSettings(other.live, { fallbackChannel: null }), request)
      yield* TestClock.adjust(1)
      assert.isTrue(yield* isKept(other, kept.id))
    })
  )

  it.effect("is dropped at its end of life, without an event", () =>
    Effect.gen(function* () {
      const world = yield* makeRelaying([unknownOutcome("SMS")])
      const { id } = yield* world.relays.relay(world.live, { ...request, expiresInSeconds: 900 })
      yield* TestClock.adjust("14 minutes")
      assert.isTrue(yield* isKept(world, id))
      yield* TestClock.adjust("2 minutes")
      assert.isFalse(yield* isKept(world, id))
      assert.deepStrictEqual(yield* world.events(world.live), [])
      assert.deepInclude(yield* world.relays.get(world.live, id), { deliveryStatus: "PENDING" })
    })
  )

  it.effect("fails when no provider accepts it before its end of life, and nothing is announced as expired", () =>
    Effect.gen(function* () {
      const world = yield* makeRelaying([unavailable("SMS")])
      const { id } = yield* world.relays.relay(withSettings(world.live, { fallbackChannel: null }), {
        ...request,
        expiresInSeconds: 30
      })
      yield* TestClock.adjust("1 minute")
      assert.deepInclude(yield* world.relays.get(world.live, id), { deliveryStatus: "FAILED" })
      assert.isFalse(yield* isKept(world, id))
      assert.deepStrictEqual(
        (yield* world.events(world.live)).map(({ type }) => type),
        ["delivery.updated"]
      )
    })
  )

  it.effect("is never sent again when the provider did not answer: no carrier, no channel, no retry", () =>
    Effect.gen(function* () {
      const world = yield* makeRelaying([unknownOutcome("SMS")], { otherCarrier: true })
      const { id } = yield* world.relays.relay(world.live, { ...request, expiresInSeconds: 900 })
      yield* TestClock.adjust("20 minutes")
      assert.deepStrictEqual(
        [world.sms.received.length, world.second.received.length, world.whatsapp.received.length],
        [1, 0, 0]
      )
      assert.deepInclude(yield* world.relays.get(world.live, id), { deliveryStatus: "PENDING" })
    })
  )

  it.effect("goes on as soon as a receipt says that an unanswered send failed", () =>
    Effect.gen(function* () {
      const world = yield* makeRelaying([unknownOutcome("SMS")])
      yield* world.relays.relay(world.live, request)
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual(world.whatsapp.received.length, 0)
      yield* world.report({ status: "FAILED", because: "recipient" })
      assert.deepStrictEqual(
        world.whatsapp.received.map((message) => message.code),
        [code]
      )
    })
  )

  it.effect("goes over the fallback channel when the first one refuses it, and when no receipt comes in time", () =>
    Effect.gen(function* () {
      const refusing = yield* makeRelaying([refused("SMS")])
      yield* refusing.relays.relay(refusing.live, request)
      yield* TestClock.adjust(1)
      assert.deepStrictEqual([refusing.sms.received.length, refusing.whatsapp.received.length], [1, 1])
      const silent = yield* makeRelaying()
      yield* silent.relays.relay(silent.live, request)
      yield* TestClock.adjust("19 seconds")
      assert.strictEqual(silent.whatsapp.received.length, 0)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(silent.whatsapp.received.length, 1)
    })
  )

  it.effect("goes to the next carrier when the first one certainly did not accept it, or reports a failure", () =>
    Effect.gen(function* () {
      for (const answer of [unavailable("SMS"), accepted]) {
        const world = yield* makeRelaying([answer], { otherCarrier: true })
        yield* world.relays.relay(world.live, request)
        yield* TestClock.adjust(1)
        if (answer === accepted) yield* world.report({ status: "FAILED", because: "account" })
        assert.deepStrictEqual([world.sms.received.length, world.second.received.length], [1, 1])
      }
    })
  )

  it.effect("is sent once when its process dies after the provider took it", () =>
    Effect.gen(function* () {
      const sms = recordingChannel("SMS", [Effect.never])
      const world = yield* makeWorld({ channels: [sms.channel], idle: true })
      const { id } = yield* world.relays.relay(world.live, { ...request, expiresInSeconds: 900 })
      const dying = yield* Effect.forkChild(
        Effect.scoped(
          Effect.andThen(makeProcess(world.storage, { channels: [sms.channel] }), Effect.never as Effect.Effect<never>)
        )
      )
      yield* TestClock.adjust("1 second")
      assert.strictEqual(sms.received.length, 1)
      // A closing process waits for its sends for a while.
      yield* Effect.forkChild(Fiber.interrupt(dying))
      yield* TestClock.adjust("1 minute")
      yield* makeProcess(world.storage, { channels: [sms.channel] })
      yield* TestClock.adjust("3 minutes")
      assert.strictEqual(sms.received.length, 1)
      assert.deepInclude((yield* loadOf(world, id)).deliveries[0], { status: "PENDING", unanswered: true })
    })
  )

  it.effect("opens under the previous master secret, and fails when that was removed", () =>
    Effect.gen(function* () {
      for (const previousSecrets of [[secrets.first], []]) {
        const sms = recordingChannel("SMS")
        const world = yield* makeWorld({ channels: [sms.channel], idle: true })
        const { id } = yield* world.relays.relay(world.live, request)
        const rotated = { channels: [sms.channel], secret: secrets.second }
        yield* makeProcess(world.storage, { ...rotated, previousSecrets: [secrets.first], idle: true })
        yield* makeProcess(world.storage, { ...rotated, previousSecrets })
        yield* TestClock.adjust("1 second")
        const { deliveries } = yield* world.relays.get(world.live, id)
        const isOpen = previousSecrets.length > 0
        assert.deepInclude(deliveries[0], {
          status: isOpen ? "SENT" : "FAILED",
          providerCode: isOpen ? null : "key_retired"
        })
      }
    })
  )
})

describe("the code of a relayed code", () => {
  const codeOf = (id: string): Verification.Verification =>
    changedTo(Verification.codeFlow, { id }) as Verification.Verification

  it("is dropped by every change after which no message can need it, and by no other", () => {
    const statuses = ["PENDING", "SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"] as const
    for (const authStatus of ["PENDING", "EXPIRED", "FAILED"] as const) {
      for (const expiryAnnounced of [false, true]) {
        for (const [one, other] of statuses.flatMap((one) => statuses.map((other) => [one, other] as const))) {
          const relayed = changedTo(
            { kind: "Relayed", mode: "OTP", sealedCode: "s", mark: null, locale: null, purpose: null, origin: null },
            { status: authStatus, expiryAnnounced, deliveries: [{ status: one }, { status: other }] }
          ) as Verification.RelayedVerification
          const has = (status: string) => one === status || other === status
          const isNeeded = authStatus === "PENDING" && !expiryAnnounced && !has("DELIVERED") && !has("READ")
          const kept = Verification.withoutSpentCode(relayed)
          assert.deepStrictEqual(kept, isNeeded ? relayed : { ...relayed, sealedCode: null })
          assert.strictEqual(Verification.canBeSent(kept), isNeeded)
        }
      }
    }
    assert.strictEqual(Verification.withoutSpentCode(codeOf("a")).kind, "Code")
  })
})

describe("a request to relay a code", () => {
  it.effect("is carried out once for each key, at the same time and in two processes", () =>
    Effect.gen(function* () {
      const world = yield* makeRelaying()
      const other = yield* makeProcess(world.storage, { idle: true })
      const keyed = { ...request, idempotencyKey: "hook-1", expiresInSeconds: 1 }
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? world : other).relays.relay(world.live, keyed)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(answers.map(({ id }) => id)).size, 1)
      assert.strictEqual(answers.filter(({ repeated }) => !repeated).length, 1)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(world.sms.received.length, 1)
      yield* world.relays.relay(world.live, { ...keyed, idempotencyKey: "hook-2" })
      yield* TestClock.adjust(1)
      assert.strictEqual(world.sms.received.length, 2)
    })
  )

  it.effect("is known for an hour by its key, though its code expired", () =>
    Effect.gen(function* () {
      const { live, relays } = yield* makeWorld({ idle: true })
      const keyed = { ...request, idempotencyKey: "hook-1", expiresInSeconds: 1 }
      const { id } = yield* relays.relay(live, keyed)
      yield* TestClock.adjust("59 minutes")
      assert.deepInclude(yield* relays.relay(live, keyed), { id, repeated: true })
      yield* TestClock.adjust("2 minutes")
      assert.notStrictEqual((yield* relays.relay(live, keyed)).id, id)
    })
  )

  it.effect("is found again after its message failed, under a rotated secret, and keeps no key in storage", () =>
    Effect.gen(function* () {
      const world = yield* makeRelaying([refused("SMS")])
      const caller = withSettings(world.live, { fallbackChannel: null })
      const keyed = { ...request, idempotencyKey: `body with ${code}` }
      const { id } = yield* world.relays.relay(caller, keyed)
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* world.relays.get(caller, id), { deliveryStatus: "FAILED" })
      const rotated = yield* makeProcess(world.storage, {
        idle: true,
        secret: secrets.second,
        previousSecrets: [secrets.first]
      })
      assert.deepInclude(yield* rotated.relays.relay(caller, keyed), { id, repeated: true })
      const loaded = yield* Effect.orDie(Context.get(world.storage, VerificationStore).load(caller.environment, id))
      assert.notInclude(JSON.stringify(loaded), "body with")
      assert.strictEqual(world.sms.received.length, 1)
    })
  )

  it.effect("is carried out once when the process died before it answered a request with an Idempotency-Key", () =>
    Effect.gen(function* () {
      const world = yield* makeRelaying()
      const derive = (purpose: string) => new TextEncoder().encode(purpose.padEnd(32, "x")).slice(0, 32)
      const call = (isRepeat: boolean) =>
        Effect.provideService(
          world.relays.relay(world.live, { ...request, clientIp: "203.0.113.7" }),
          RequestKey.RequestKey,
          { firstAt: start, isRepeat, derive }
        )
      const first = yield* call(false)
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* call(true), { id: first.id, repeated: true, deliveryStatus: "SENT" })
      yield* TestClock.adjust("1 second")
      assert.strictEqual(world.sms.received.length, 1)
    })
  )

  it.effect("sends each time without a key, within the hourly limits of codes", () =>
    Effect.gen(function* () {
      const world = yield* makeRelaying()
      const caller = withSettings(world.live, { hourlyLimit: 3 })
      for (let n = 0; n < 3; n++) yield* world.relays.relay(caller, request)
      const refusal = yield* Effect.flip(world.relays.relay(caller, request))
      assert.deepInclude(refusal, { _tag: "RateLimited", limit: "spelling" })
      assert.deepInclude(yield* Effect.flip(world.verifications.initiate(caller, otp(indian))), { _tag: "RateLimited" })
    })
  )

  it.effect("counts against the end user's address, and a repeat of the same key does not", () =>
    Effect.gen(function* () {
      const world = yield* makeRelaying()
      const caller = withSettings(world.live, { hourlyLimitPerAddress: 1 })
      const from = { ...request, clientIp: "203.0.113.7", idempotencyKey: "a" }
      const { id } = yield* world.relays.relay(caller, from)
      assert.deepInclude(yield* world.relays.relay(caller, from), { id, repeated: true })
      const refusal = yield* Effect.flip(world.relays.relay(caller, { ...from, idempotencyKey: "b" }))
      assert.deepInclude(refusal, { _tag: "RateLimited", limit: "address" })
    })
  )

  it.effect("joins no verification of the same person, and no verification joins it", () =>
    Effect.gen(function* () {
      const world = yield* makeRelaying()
      const own = (yield* world.verifications.initiate(world.live, otp(indian))).verification
      const { id } = yield* world.relays.relay(world.live, { ...request, idempotencyKey: "a" })
      assert.notStrictEqual(id, own.id)
      yield* TestClock.adjust("2 minutes")
      const again = yield* world.verifications.initiate(world.live, otp(indian))
      assert.strictEqual(again.verification.id, own.id)
    })
  )

  it.effect("is refused with the field that is wrong", () =>
    Effect.gen(function* () {
      const { live, relays } = yield* makeRelaying()
      const fieldOf = (wrong: Partial<RelayRequest>) =>
        Effect.map(Effect.flip(relays.relay(live, { ...request, ...wrong })), (error) =>
          error._tag === "InvalidField" ? error.field : error._tag
        )
      const codes = ["", "123", "12345678901", "12 45", "123-456", "https://x", "१२३४", "12345\n", "a.b.c"]
      for (const wrong of codes) assert.strictEqual(yield* fieldOf({ code: wrong }), "code")
      for (const wrong of [0, 901, 1.5, -1, Number.NaN]) {
        assert.strictEqual(yield* fieldOf({ expiresInSeconds: wrong }), "expiresInSeconds")
      }
      assert.strictEqual(yield* fieldOf({ locale: "english please" }), "locale")
      assert.strictEqual(yield* fieldOf({ purpose: "Call me" }), "purpose")
      assert.strictEqual(yield* fieldOf({ clientIp: "here" }), "clientIp")
      assert.strictEqual(yield* fieldOf({ identity: "12" }), "identity")
      assert.strictEqual(yield* fieldOf({ channel: "EMAIL" }), "InvalidChannel")
      assert.strictEqual(yield* fieldOf({ channel: "TRUECALLER" }), "InvalidChannel")
    })
  )
})

/** Every service by which a caller could reach a verification with an id. */
const ways: {
  readonly [way: string]: (world: World, caller: Caller, requestId: string) => Effect.Effect<unknown, unknown>
} = {
  verify: ({ verifications }, caller, requestId) => verifications.verify(caller, { requestId, otp: code }),
  login: ({ verifications }, caller, requestId) => verifications.login(caller, { requestId, otp: code }),
  status: ({ verifications }, caller, requestId) => verifications.status(caller, { requestId }),
  confirm: ({ verifications }, caller, requestId) => verifications.confirm(caller, { requestId }),
  "resend as a link": ({ verifications }, caller, requestId) =>
    verifications.initiate(caller, { ...otp(indian), mode: "MAGIC_LINK", requestId }),
  "verify in an app": ({ sdk }, caller, sessionId) => sdk.verify(caller, { sessionId, code }),
  "status in an app": ({ sdk }, caller, sessionId) => sdk.status(caller, sessionId),
  "Try it": ({ services }, caller, requestId) => Context.get(services, TryIt).verify(caller, requestId, code),
  "lock of": ({ services }, caller, requestId) => Context.get(services, Unlocks).lockOf(caller, requestId),
  unlock: ({ services }, caller, requestId) => Context.get(services, Unlocks).unlockPersonOf(caller, requestId)
}

describe("the id of a relayed code", () => {
  for (const [way, call] of Object.entries(ways)) {
    it.effect(`is unknown to every other service: ${way}`, () =>
      Effect.gen(function* () {
        const world = yield* makeRelaying()
        const { id } = yield* world.relays.relay(world.live, { ...request, expiresInSeconds: 1 })
        const error = yield* Effect.flip(call(world, world.live, id))
        assert.deepInclude(error, { _tag: "UnknownVerification" })
        yield* TestClock.adjust("5 seconds")
        assert.deepInclude(yield* Effect.flip(call(world, world.live, id)), { _tag: "UnknownVerification" })
      })
    )
  }

  it.effect("is unknown in another environment, and the id of a verification is no delivery", () =>
    Effect.gen(function* () {
      const world = yield* makeRelaying()
      const { id } = yield* world.relays.relay(world.live, request)
      const own = (yield* world.verifications.initiate(world.live, otp(indian))).verification.id
      for (const [caller, wrong] of [
        [world.test, id],
        [world.live, own],
        [world.live, "ver_"],
        [world.live, `${id}'`]
      ] as const) {
        assert.deepInclude(yield* Effect.flip(world.relays.get(caller, wrong)), { _tag: "UnknownVerification" })
      }
    })
  )

  it.effect("opens no link and no number verification", () =>
    Effect.gen(function* () {
      const world = yield* makeRelaying()
      const { id } = yield* world.relays.relay(world.live, request)
      const verification = yield* loadOf(world, id)
      const links = Context.get(world.services, Links)
      assert.deepStrictEqual(yield* links.shown(world.live, verification), {
        code: null,
        matchNumber: null,
        testLink: null
      })
      assert.isDefined(Context.get(world.services, NumberVerifications))
    })
  )
})
