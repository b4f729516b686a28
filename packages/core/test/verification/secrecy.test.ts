import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import type { Channel } from "../../src/index.channel.ts"
import { StoreError } from "../../src/index.storage.ts"
import { withStore } from "../fixtures/FaultyStore.ts"
import { accepted, recordingChannel, refused, unavailable, unknownOutcome } from "../fixtures/RecordingChannel.ts"
import { makeStorage, makeWorld, otp, until, withSettings, type World, wrong } from "../fixtures/World.ts"
import { makeWitness, Secrets } from "../fixtures/Witness.ts"

const phone = "+91 98765-43210"
const mail = "anna.berg@mail.example"

/** The spellings of a person that must not appear. */
const people = [phone, mail, "919876543210", "9876543210", "98765-43210", "anna.berg"]

const secretsOf = ({ keys, live, test }: World) => {
  const secrets = new Secrets()
  for (const { clientSecret } of [keys.live, keys.test]) secrets.add("client secret", clientSecret)
  for (const person of people) secrets.add(`identity ${person}`, person)
  for (const byte of ["a1", "b2"]) secrets.add("master secret", byte.repeat(32))
  assert.notStrictEqual(live.environment, test.environment)
  return secrets
}

describe("no secret is logged, traced, or part of an error", () => {
  it.effect("through logins, refusals and every kind of error", () => {
    const { heard, hear, layer } = makeWitness()
    return Effect.gen(function* () {
      const sms = recordingChannel("SMS", [unavailable("SMS"), unknownOutcome("SMS"), accepted])
      const email = recordingChannel("EMAIL", [refused("EMAIL")])
      const world = yield* makeWorld({ channels: [sms.channel, email.channel] })
      const { live, merchants, verifications } = world
      const secrets = secretsOf(world)
      const strict = withSettings(live, { hourlyLimit: 1, maxAttempts: 1, maxConsecutiveFailures: 2, maxResends: 1 })
      const tell = <A, E>(effect: Effect.Effect<A, E>) =>
        Effect.match(effect, { onSuccess: () => undefined, onFailure: hear })

      const { verification } = yield* verifications.initiate(live, otp(phone, { deviceInfo: { name: mail } }))
      yield* until(Effect.sync(() => sms.received.length > 0))
      yield* TestClock.adjust("5 seconds")
      const { code } = sms.received[0]!
      const entered = (text: string) => verifications.verify(live, { requestId: verification.id, otp: text })
      yield* tell(entered(wrong(code)))
      const right = yield* entered(code)
      assert.ok(right._tag === "Verified")
      secrets.add("idToken", right.idToken)

      yield* verifications.initiate(live, otp(mail))
      yield* until(Effect.sync(() => email.received.length > 0))
      yield* TestClock.adjust("5 seconds")

      for (const identity of [phone, mail, `${mail} x`, `${phone}x`]) {
        for (const more of [
          {},
          { mode: code },
          { channel: code },
          { otpLength: 99 },
          { orderId: "" },
          { state: "\0" }
        ]) {
          for (let i = 0; i < 3; i++) yield* tell(verifications.initiate(strict, otp(identity, more)))
        }
      }
      yield* tell(verifications.verify(strict, { requestId: code, otp: code }))
      yield* tell(verifications.verify(live, { orderId: mail, otp: code }))
      yield* tell(verifications.verify(live, { requestId: verification.id, otp: code.repeat(20) }))
      yield* tell(verifications.confirm(world.test, { idToken: right.idToken }))
      yield* tell(verifications.confirm(live, { idToken: `${right.idToken}x` }))
      yield* tell(world.tokens.verify("session", right.idToken, live.credentialId))
      yield* tell(merchants.authenticate(world.keys.live.clientId, Redacted.make(`sk_live_${code}`)))
      yield* tell(merchants.changeSettings(live, { redirectUris: [mail, 1], brand: 7 }))

      secrets.addMessages([...sms.received, ...email.received])
      assert.isAbove(heard.length, 10)
      assert.deepStrictEqual(secrets.foundIn(heard), [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("when a channel throws its message in the error", () => {
    const { heard, layer } = makeWitness()
    return Effect.gen(function* () {
      const { channel, received } = recordingChannel("SMS")
      const broken: Channel = {
        ...channel,
        send: (message) =>
          Effect.andThen(
            channel.send(message),
            Effect.die(new TypeError(`cannot send ${Redacted.value(message.text)} to ${message.to}`))
          )
      }
      const world = yield* makeWorld({ channels: [broken] })
      yield* world.verifications.initiate(world.live, otp(phone))
      yield* until(Effect.sync(() => received.length > 0))
      yield* TestClock.adjust("1 second")
      const secrets = secretsOf(world)
      secrets.addMessages(received)
      assert.isAbove(heard.length, 0)
      assert.deepStrictEqual(secrets.foundIn(heard), [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("when storage fails with the person's row in the error", () => {
    const { heard, layer } = makeWitness()
    return Effect.gen(function* () {
      const cause = new Error("duplicate key value: Key (canonical)=(919876543210) already exists")
      const failure = Effect.fail(new StoreError({ operation: "load", cause }))
      let away = false
      const storage = withStore(yield* makeStorage, (store) => ({
        load: (environment, id) => Effect.suspend(() => (away ? failure : store.load(environment, id))),
        commit: (change) => Effect.suspend(() => (away && change.events.length === 0 ? failure : store.commit(change)))
      }))
      const sms = recordingChannel("SMS", [unavailable("SMS"), accepted])
      const world = yield* makeWorld({ storage, channels: [sms.channel] })
      yield* world.verifications.initiate(world.live, otp(phone))
      yield* until(Effect.sync(() => sms.received.length > 0))
      away = true
      yield* TestClock.adjust("10 seconds")
      const secrets = secretsOf(world)
      secrets.addMessages(sms.received)
      assert.isAbove(heard.length, 0)
      assert.deepStrictEqual(secrets.foundIn(heard), [])
    }).pipe(Effect.provide(layer))
  })
})
