import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { ChannelError, Refused } from "../../src/index.channel.ts"
import { VerificationStore } from "../../src/index.storage.ts"
import { withStore } from "../fixtures/FaultyStore.ts"
import { handedOver, link, makeLinkWorld } from "../fixtures/links.ts"
import { accepted, recordingChannel, refused } from "../fixtures/RecordingChannel.ts"
import { makeWitness, Secrets } from "../fixtures/Witness.ts"
import { indian, issuer, makeProcess, makeStorage, until, withSettings } from "../fixtures/World.ts"
import { challengeOf } from "../../src/auth/verification/exchange.ts"

const mobile = { identity: indian, identityType: "MOBILE" }
const fallback = { fallbackChannel: "WHATSAPP", fallbackAfterSeconds: 30 } as const

describe("the messages of a link", () => {
  it.effect("contain the same link with every resend and fallback, and never the number", () =>
    Effect.gen(function* () {
      const [sms, whatsapp] = [recordingChannel("SMS"), recordingChannel("WHATSAPP")]
      const w = yield* makeLinkWorld({ channels: [sms.channel, whatsapp.channel], idle: false })
      const live = withSettings(w.live, { ...fallback, linkNumberMatch: true })
      const ask = w.verifications.initiate(live, link({ ...mobile, channel: "SMS" }))
      const { verification } = yield* ask
      yield* until(Effect.sync(() => sms.received.length === 1))
      yield* ask
      yield* until(Effect.sync(() => sms.received.length === 2))
      yield* TestClock.adjust("31 seconds")
      yield* until(Effect.sync(() => whatsapp.received.length === 1))
      const url = `${issuer}/l/${w.tokenOf(verification)}`
      const all = [...sms.received, ...whatsapp.received]
      assert.deepStrictEqual(
        all.map((one) => [one.url, one.code, one.to, one.text.includes(url)]),
        all.map(() => [url, "", "+919876543210", true])
      )
      const { matchNumber } = yield* w.links.shown(live, verification)
      for (const { text } of all) assert.notMatch(text.replace(url, ""), new RegExp(`\\b${matchNumber}\\b`))
      const { deliveries } = yield* w.verifications.status(live, { requestId: verification.id })
      assert.deepStrictEqual(
        deliveries.map(({ channel, status, type }) => [channel, type, status]),
        [
          ["SMS", "LINK", "SENT"],
          ["SMS", "LINK", "SENT"],
          ["WHATSAPP", "LINK", "SENT"]
        ]
      )
    })
  )

  it.effect("become SKIPPED once the link is approved, and so does a pending fallback", () =>
    Effect.gen(function* () {
      const whatsapp = recordingChannel("WHATSAPP")
      const storage = yield* makeStorage
      const w = yield* makeLinkWorld({ storage })
      const live = withSettings(w.live, fallback)
      const { verification } = yield* w.verifications.initiate(live, link({ ...mobile, channel: "SMS" }))
      assert.strictEqual((yield* w.links.approve(w.tokenOf(verification), null))._tag, "Approved")
      const sms = recordingChannel("SMS")
      yield* makeProcess(storage, { channels: [sms.channel, whatsapp.channel] })
      yield* TestClock.adjust("60 seconds")
      const { deliveries } = yield* w.verifications.status(live, { requestId: verification.id })
      assert.deepStrictEqual(
        [deliveries.map(({ status }) => status), sms.received, whatsapp.received],
        [["SKIPPED"], [], []]
      )
    })
  )

  it.effect("FAIL with no_public_url where the sending process has no public URL", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const w = yield* makeLinkWorld({ storage })
      const sms = recordingChannel("SMS", [refused("SMS")])
      const { verification } = yield* w.verifications.initiate(w.live, link({ ...mobile, channel: "SMS" }))
      const lost = yield* makeProcess(storage, { channels: [sms.channel], linkUrl: null })
      yield* TestClock.adjust("10 seconds")
      const { deliveries, status } = yield* w.verifications.status(w.live, { requestId: verification.id })
      assert.deepStrictEqual(
        [status, deliveries.map((one) => one.providerCode), sms.received],
        ["FAILED", ["no_public_url"], []]
      )
      const refusal = yield* Effect.flip(lost.verifications.initiate(w.live, link({ ...mobile, channel: "SMS" })))
      assert.strictEqual(refusal._tag, "InvalidMode")
    })
  )
})

it.effect("initiate refuses links whose template the provider rejected, and still sends codes", () =>
  Effect.gen(function* () {
    const reason = new Refused({ providerCode: "132001", because: "template", template: "NOT_FOUND" })
    const whatsapp = recordingChannel("WHATSAPP", [
      Effect.fail(new ChannelError({ channel: "WHATSAPP", reason })),
      accepted
    ])
    const w = yield* makeLinkWorld({ channels: [whatsapp.channel], idle: false })
    const ask = link({ ...mobile, mode: "OAUTH", channel: "WHATSAPP" })
    yield* w.verifications.initiate(w.live, ask)
    yield* until(Effect.sync(() => whatsapp.received.length === 1))
    const another = { ...ask, identity: "+919876543299" }
    const refusal = yield* Effect.flip(w.verifications.initiate(w.live, another))
    assert.deepInclude(refusal, { _tag: "TemplateUnusable", channel: "WHATSAPP", fault: "NOT_FOUND" })
    yield* w.verifications.initiate(w.live, { ...mobile, mode: "OTP", channel: "WHATSAPP" })
    yield* until(Effect.sync(() => whatsapp.received.length === 2))
    assert.strictEqual(whatsapp.received[1]?.url, "")
    yield* TestClock.adjust("31 seconds")
    yield* w.verifications.initiate(w.live, another)
  })
)

describe("a code that is entered for a link", () => {
  it.effect("is refused and not counted: 100 of them leave the link unchanged", () =>
    Effect.gen(function* () {
      const w = yield* makeLinkWorld()
      const live = withSettings(w.live, { maxAttempts: 1, maxConsecutiveFailures: 1 })
      const { verification } = yield* w.verifications.initiate(live, link({ orderId: "o1" }))
      const token = w.tokenOf(verification)
      const store = Context.get(w.storage, VerificationStore)
      const before = yield* store.load(live.environment, verification.id)
      for (const otp of [...Array.from({ length: 98 }, (_, i) => String(100_000 + i)), token, token.slice(-26)]) {
        for (const reference of [{ requestId: verification.id }, { orderId: "o1" }]) {
          const error = yield* Effect.flip(w.verifications.verify(live, { ...reference, otp }))
          assert.deepStrictEqual([error._tag, "field" in error && error.field], ["InvalidField", "otp"])
        }
      }
      assert.deepStrictEqual(yield* store.load(live.environment, verification.id), before)
      const foreign = yield* Effect.flip(w.sdk.verify(live, { sessionId: verification.id, code: "123456" }))
      assert.strictEqual(foreign._tag, "UnknownVerification")
      assert.strictEqual((yield* w.links.approve(token, null))._tag, "Approved")
      const again = yield* w.verifications.verify(live, { requestId: verification.id, otp: "123456" })
      assert.deepStrictEqual([again._tag, again._tag === "Verified" && again.already], ["Verified", true])
      const strict = withSettings(live, { strictReverify: true })
      const refusal = yield* Effect.flip(w.verifications.verify(strict, { requestId: verification.id, otp: "123456" }))
      assert.strictEqual(refusal._tag, "InvalidField")
    })
  )
})

describe("the token and the number of a link", () => {
  it.effect("are never stored, logged, traced, or part of an error", () => {
    const { heard, hear, layer } = makeWitness()
    return Effect.gen(function* () {
      const written: Array<string> = []
      const storage = withStore(yield* makeStorage, (store) => ({
        commit: (change) =>
          Effect.suspend(() => {
            written.push(JSON.stringify(change))
            return store.commit(change)
          })
      }))
      const email = recordingChannel("EMAIL")
      const w = yield* makeLinkWorld({ storage, channels: [email.channel], idle: false })
      const live = withSettings(w.live, { linkNumberMatch: true, oneTap: true })
      const tell = <A, E>(effect: Effect.Effect<A, E>) =>
        Effect.match(effect, { onSuccess: () => undefined, onFailure: hear })
      const codeVerifier = "a-verifier-that-only-the-backend-knows-0123456789"
      const { deviceToken, verification } = yield* w.verifications.initiate(
        live,
        link({ state: "s", codeChallenge: challengeOf(codeVerifier) })
      )
      yield* until(Effect.sync(() => email.received.length === 1))
      const token = w.tokenOf(verification)
      const { matchNumber } = yield* w.links.shown(live, verification)
      for (const wrong of [token.slice(1), `${token}0`, token.toUpperCase()]) {
        yield* w.links.look(wrong)
        yield* w.links.approve(wrong, matchNumber)
      }
      yield* tell(w.verifications.verify(live, { requestId: verification.id, otp: token.slice(-26) }))
      yield* tell(w.verifications.verify(live, { requestId: token, otp: token.slice(-26) }))
      const approval = yield* w.links.approve(token, matchNumber)
      assert.ok(approval._tag === "Approved")
      const code = handedOver(approval.location)["code"] ?? ""
      yield* tell(w.links.exchange(live, { code: `${code}0`, codeVerifier }))
      yield* tell(w.links.exchange(live, { code, codeVerifier: `${codeVerifier}0` }))
      yield* tell(w.links.exchange(live, { code, codeVerifier: "short" }))
      yield* tell(w.links.exchange(live, { code }))
      yield* tell(w.links.exchange(w.test, { code, codeVerifier }))
      const { idToken } = yield* w.links.exchange(live, { code, codeVerifier, deviceToken })
      yield* tell(w.links.exchange(live, { code, codeVerifier }))
      yield* TestClock.adjust("10 minutes")

      const secrets = new Secrets()
      secrets.addMessages(email.received)
      for (const [name, value] of Object.entries({ token, code, codeVerifier, idToken, deviceToken })) {
        secrets.add(name, value ?? "")
      }
      secrets.add("proof of the link", token.slice(-26))
      secrets.add("proof of the code", code.slice(-26))
      assert.isAbove(heard.length, 5)
      assert.deepStrictEqual(secrets.foundIn(heard), [])
      assert.isAbove(written.length, 3)
      // The store finds verifications by the person's address.
      assert.deepStrictEqual(secrets.foundIn(written), ["address"])
      assert.notInclude(written.join("\n"), JSON.stringify(matchNumber))
    }).pipe(Effect.provide(layer))
  })
})
