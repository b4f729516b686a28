import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { recordingChannel } from "../fixtures/RecordingChannel.ts"
import { answer, indian, makeWorld, otp, start, until, wrong } from "../fixtures/World.ts"

describe("a complete login", () => {
  it.effect("sends a code, checks it, and returns the verified identity", () =>
    Effect.gen(function* () {
      const sms = recordingChannel("SMS")
      const { events, live, verifications } = yield* makeWorld({ channels: [sms.channel] })

      const { deviceToken, oneTapApplied, verification } = yield* verifications.initiate(
        live,
        otp(indian, { orderId: "order 7", deviceInfo: { platform: "ios" } })
      )
      assert.deepStrictEqual({ deviceToken, oneTapApplied }, { deviceToken: null, oneTapApplied: false })
      const { id } = verification
      yield* until(Effect.sync(() => sms.received.length > 0))
      const [message] = sms.received
      assert.match(message!.code, /^[0-9]{6}$/)
      assert.deepStrictEqual(sms.received, [
        {
          at: start,
          deliveryId: verification.deliveries[0]!.id,
          reference: `${live.environment}.${id}.${verification.deliveries[0]!.id}`,
          to: "+919876543210",
          code: message!.code,
          url: "",
          text: `${message!.code} is your Acme code, valid for 5 min. Do not share it with anyone.`
        }
      ])

      yield* TestClock.adjust("1500 millis")
      const sent = {
        ...verification,
        deliveries: [
          {
            ...verification.deliveries[0]!,
            status: "SENT" as const,
            sentAt: start,
            providerId: "m1",
            carrier: "recording SMS"
          }
        ]
      }
      assert.deepStrictEqual(yield* verifications.status(live, { requestId: id }), sent)
      const verified = yield* verifications.verify(live, { requestId: id, otp: ` ${message!.code}\n` })
      const expected = { ...sent, status: "VERIFIED" as const, method: "OTP" as const, verifiedAt: start + 1500 }
      assert.deepStrictEqual(verified.verification, expected)
      assert.strictEqual(answer(verified), "right")

      assert.deepStrictEqual(yield* verifications.status(live, { orderId: "order 7" }), expected)
      assert.deepStrictEqual(yield* verifications.confirm(live, { requestId: id }), expected)
      assert.ok(verified._tag === "Verified")
      assert.deepStrictEqual(yield* verifications.confirm(live, { idToken: verified.idToken }), expected)

      const about = {
        requestId: id,
        identity: indian,
        identityType: "MOBILE",
        mode: "OTP",
        channel: "SMS",
        orderId: "order 7"
      } as const
      assert.deepStrictEqual(
        (yield* events(live)).map(({ id: _id, ...event }) => event),
        [
          { environment: live.environment, type: "otp.initiated", createdAt: start, data: about },
          {
            environment: live.environment,
            type: "otp.verified",
            createdAt: start + 1500,
            data: { ...about, verifiedAt: "2030-01-07T10:00:01.500Z", method: "OTP" }
          }
        ]
      )
    })
  )

  it.effect("starts a verification with all its fields", () =>
    Effect.gen(function* () {
      const { keyring, live, verifications } = yield* makeWorld({ idle: true })
      const { verification } = yield* verifications.initiate(
        live,
        otp("a.b@Example.com", { otpLength: 8, deviceInfo: { model: "Ü" } }),
        "command 1"
      )
      const [delivery] = verification.deliveries
      assert.match(verification.id, /^ver_[0-9a-z]{26}$/)
      assert.match(delivery!.id, /^dlv_[0-9a-z]{26}$/)
      assert.deepStrictEqual(verification, {
        id: verification.id,
        environment: live.environment,
        identity: {
          type: "EMAIL",
          spelling: "a.b@Example.com",
          canonical: "a.b@example.com",
          countryCode: null,
          nationalNumber: null
        },
        kind: "Code",
        mode: "OTP",
        path: "SERVER",
        channel: "EMAIL",
        orderId: null,
        status: "PENDING",
        method: null,
        codeLength: 8,
        keyId: keyring.current.id,
        attempts: 0,
        maxAttempts: 3,
        resends: 0,
        createdAt: start,
        sentAt: start,
        expiresAt: start + 300_000,
        endsAt: start + 1_800_000,
        verifiedAt: null,
        undeliverable: false,
        expiryAnnounced: false,
        deliveries: [
          {
            id: delivery!.id,
            channel: "EMAIL",
            type: "OTP",
            status: "PENDING",
            attemptNumber: 1,
            createdAt: start,
            options: {},
            command: "command 1",
            providerId: null,
            providerCode: null
          }
        ],
        fallback: null,
        deviceInfo: '{"model":"Ü"}'
      })
    })
  )

  it.effect("answers again with a fresh idToken once verified, for any code", () =>
    Effect.gen(function* () {
      const { codeOf, events, live, tokens, verifications } = yield* makeWorld({ idle: true })
      const { verification } = yield* verifications.initiate(live, otp(indian))
      const { id } = verification
      const code = codeOf(verification)
      const first = yield* verifications.verify(live, { requestId: id, otp: code })
      yield* TestClock.adjust("10 minutes")
      const second = yield* verifications.verify(live, { requestId: id, otp: wrong(code) })
      assert.deepStrictEqual([answer(first), answer(second)], ["right", "again"])
      assert.ok(first._tag === "Verified" && second._tag === "Verified")
      assert.deepStrictEqual(second.verification, first.verification)
      const { auth_time, identity, identityType, phone_number, phone_number_verified, sub } = yield* tokens.verify(
        "id",
        second.idToken,
        live.credentialId
      )
      assert.deepStrictEqual(
        { auth_time, identity, identityType, phone_number, phone_number_verified, sub },
        {
          auth_time: start / 1000,
          identity: indian,
          identityType: "MOBILE",
          phone_number: "+919876543210",
          phone_number_verified: true,
          sub: id
        }
      )
      assert.deepStrictEqual(
        (yield* events(live)).map(({ type }) => type),
        ["otp.initiated", "otp.verified"]
      )
    })
  )
})
