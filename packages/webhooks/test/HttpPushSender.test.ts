import { Keyring, type PushRequest } from "@countersign/core"
import { PushService } from "@countersign/testkit/simulators"
import { HttpPushSender } from "@countersign/webhooks"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as SigningKey from "../../core/src/foundation/secret/SigningKey.ts"
import { publicV4 } from "./fixtures/sender.ts"

const makeKey = (text: string) =>
  Effect.gen(function* () {
    const { current } = yield* Effect.provide(Keyring, Keyring.layer({ secret: Redacted.make(text.repeat(32)) }))
    return yield* SigningKey.derive(current, "push")
  })

const makeBrowser = Effect.gen(function* () {
  const service = yield* PushService.start
  const key = yield* Effect.orDie(makeKey("0a"))
  const { endpoint, keys } = service.subscribe(key.point)
  const request: PushRequest = {
    endpoint,
    ...keys,
    key,
    subject: "https://verify.example.com",
    text: '{"count":2,"lead":"mer_1.7"}',
    topic: "abc_DEF-1",
    ttlSeconds: 3_600
  }
  return { service, request, sender: yield* HttpPushSender.make({ allowPrivate: true }) }
})

describe("a push message", () => {
  it.effect("reaches the browser with its text, topic, lifetime and urgency, signed by the deployment's key", () =>
    Effect.gen(function* () {
      const { request, sender, service } = yield* makeBrowser
      assert.deepStrictEqual(yield* sender.send(request), { status: 201 })
      assert.deepStrictEqual(service.pushed(), [
        {
          endpoint: request.endpoint,
          text: request.text,
          topic: "abc_DEF-1",
          ttlSeconds: 3_600,
          urgency: "high",
          subject: "https://verify.example.com"
        }
      ])
    })
  )

  it.effect("is refused by the push service for another deployment's key, and for a browser that unsubscribed", () =>
    Effect.gen(function* () {
      const { request, sender, service } = yield* makeBrowser
      const key = yield* Effect.orDie(makeKey("0b"))
      assert.deepStrictEqual(yield* sender.send({ ...request, key }), { status: 403 })
      service.unsubscribe(request.endpoint)
      assert.deepStrictEqual(yield* sender.send(request), { status: 410 })
      assert.deepStrictEqual(service.pushed(), [])
    })
  )

  it.effect("is not sent with an unusable browser key", () =>
    Effect.gen(function* () {
      const { request, sender, service } = yield* makeBrowser
      const error = yield* Effect.flip(sender.send({ ...request, p256dh: "BAAA" }))
      assert.strictEqual(error.problem, "the browser's keys are unusable")
      assert.strictEqual(service.requests(), 0)
    })
  )

  it.effect("goes only to the public internet: every inner address is refused at the check and at the send", () =>
    Effect.gen(function* () {
      const { request } = yield* makeBrowser
      const guarded = yield* HttpPushSender.make({
        resolve: (name) => Effect.succeed([name === "push.example" ? publicV4 : "10.0.0.7"])
      })
      for (const endpoint of [
        "http://push.example/a",
        "https://127.0.0.1/a",
        "https://2130706433/a",
        "https://[::1]/a",
        "https://169.254.169.254/latest/meta-data",
        "https://localhost/a",
        "https://database.internal/a",
        "https://rebound.example/a",
        "https://user:secret@push.example/a"
      ]) {
        const refused = yield* Effect.flip(guarded.check(endpoint))
        assert.strictEqual(refused.field, "endpoint", endpoint)
        const unsent = yield* Effect.flip(guarded.send({ ...request, endpoint }))
        assert.match(unsent.problem, /^(the URL |the host name leads to an address that is not)/, endpoint)
      }
      yield* guarded.check("https://push.example/a")
    })
  )
})
