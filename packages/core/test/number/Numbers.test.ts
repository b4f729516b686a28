import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { NumberStore, WebhookStore } from "../../src/index.storage.ts"
import * as Seal from "../../src/foundation/secret/Seal.ts"
import { type InboxWorld, makeInbox, ownNumber, wrote } from "../fixtures/InboxWorld.ts"
import { otp, secrets, start, until } from "../fixtures/World.ts"

const number = { phoneNumberId: "200", wabaId: "300", accessToken: Redacted.make("token-1") }

const tokenOf = (world: Pick<InboxWorld, "numbers" | "live">) =>
  Effect.map(world.numbers.accountOf(world.live.environment, "200"), (account) =>
    account === null ? null : Redacted.value(account.accessToken)
  )

const stranger = Effect.fnUntraced(function* (world: InboxWorld) {
  // Merchants created within one millisecond have no order.
  yield* TestClock.adjust("1 second")
  const { live } = yield* Effect.orDie(world.merchants.create("Other"))
  return yield* world.merchants.authenticate(live.clientId, live.clientSecret)
})

describe("connecting a number", () => {
  it.effect("stores the provider's details, and encrypts its token", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const view = yield* world.numbers.connect(world.live, number)
      assert.deepStrictEqual(view, {
        id: "200",
        environment: world.live.environment,
        accountId: "300",
        displayNumber: "+200",
        displayName: "Acme",
        connectedAt: start
      })
      assert.strictEqual(yield* tokenOf(world), "token-1")
      const stored = yield* Context.get(world.storage, NumberStore).get("200")
      assert.notInclude(JSON.stringify(stored), "token-1")
      yield* world.numbers.connect(world.live, { ...number, accessToken: Redacted.make("token-2") })
      assert.strictEqual(yield* tokenOf(world), "token-2")
      assert.strictEqual((yield* world.numbers.list(world.live)).length, 1)
    })
  )

  it.effect(
    "fails with the provider's reason, in a test environment, and when another environment has the number",
    () =>
      Effect.gen(function* () {
        const world = yield* makeInbox()
        const problemOf = (caller: typeof world.live, token = "token") =>
          Effect.map(
            Effect.flip(world.numbers.connect(caller, { ...number, accessToken: Redacted.make(token) })),
            (error) => (error._tag === "ConnectFailed" ? error.problem : error._tag)
          )
        assert.strictEqual(yield* problemOf(world.live, "bad"), "the token has expired")
        assert.include(yield* problemOf(world.test), "test environment")
        yield* world.numbers.connect(world.live, number)
        const other = yield* stranger(world)
        assert.include(yield* problemOf(other), "another environment")
        assert.strictEqual(yield* world.numbers.accountOf(other.environment, "200"), null)
        assert.deepInclude(yield* Effect.flip(world.numbers.disconnect(other, "200")), { _tag: "UnknownNumber" })
        yield* world.numbers.disconnect(world.live, "200")
        yield* world.numbers.connect(other, number)
        for (const wrong of [{ phoneNumberId: "1'" }, { wabaId: "" }, { accessToken: Redacted.make("a b") }]) {
          const error = yield* Effect.flip(world.numbers.connect(world.live, { ...number, ...wrong }))
          assert.deepInclude(error, { field: Object.keys(wrong)[0]! })
        }
      })
  )

  it.effect("is visible to other processes within seconds, and readable after the master secret is rotated", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const other = yield* world.another()
      assert.strictEqual(yield* tokenOf({ ...world, ...other }), null)
      yield* world.numbers.connect(world.live, number)
      yield* TestClock.adjust("4 seconds")
      assert.strictEqual(yield* tokenOf({ ...world, ...other }), "token-1")
      const changed = yield* world.another({ secret: secrets.second, previousSecrets: [secrets.first] })
      assert.strictEqual(yield* tokenOf({ ...world, ...changed }), "token-1")
      // It was encrypted again, so the old secret is no longer needed.
      const later = yield* world.another({ secret: secrets.second })
      assert.strictEqual(yield* tokenOf({ ...world, ...later }), "token-1")
    })
  )
})

describe("a rotation of the master secret", () => {
  it.effect("encrypts number tokens and webhook secrets again at a start, even if they are unused", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      yield* world.numbers.connect(world.live, number)
      const webhooks = Context.get(world.storage, WebhookStore)
      const sealedBefore = yield* Seal.seal(world.keyring, "webhook-secret", "whsec")
      yield* webhooks.commit(
        WebhookStore.change({
          id: "wh_1",
          environment: world.live.environment,
          version: 0,
          url: "https://example.com/hook",
          events: null,
          description: null,
          status: "ACTIVE",
          disabledReason: null,
          failingSince: null,
          failures: 0,
          createdAt: start,
          sealed: sealedBefore,
          previous: [{ sealed: sealedBefore, until: start + 86_400_000 }]
        })
      )
      const { keyring } = yield* world.another({ secret: secrets.second, previousSecrets: [secrets.first] })
      const numbers = Context.get(world.storage, NumberStore)
      const sealed = Effect.gen(function* () {
        const [webhook] = yield* webhooks.list(world.live.environment)
        return [(yield* numbers.get("200"))!.sealed, webhook!.sealed, webhook!.previous[0]!.sealed]
      })
      yield* until(Effect.map(Effect.orDie(sealed), (all) => all.every((text) => Seal.isCurrent(keyring, text))))
      // The old secret can be removed.
      const later = yield* world.another({ secret: secrets.second })
      assert.strictEqual(yield* tokenOf({ ...world, ...later }), "token-1")
      for (const text of (yield* sealed).slice(1))
        assert.strictEqual(yield* Seal.open(later.keyring, "webhook-secret", text), "whsec")
    })
  )
})

describe("a message to a number", () => {
  it.effect("belongs to the environment that connected the number, or else to the first merchant", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const other = yield* stranger(world)
      yield* world.numbers.connect(other, number)
      assert.strictEqual(yield* world.numbers.environmentOf("200"), other.environment)
      assert.strictEqual(yield* world.numbers.environmentOf(ownNumber), world.live.environment)
      assert.strictEqual(yield* world.numbers.environmentOf("999"), null)
      yield* world.arrive(wrote("919876543210", "hi", start, { receiver: "200" }))
      yield* until(Effect.map(Effect.orDie(world.leads.page(other, {})), (all) => all.length === 1))
      assert.deepStrictEqual(yield* world.leads.page(world.live, {}), [])
      // Replies are sent from the same number.
      yield* world.leads.reply(other, 1, { text: "hello" })
      yield* until(Effect.sync(() => world.sent.length === 1))
      assert.deepInclude(world.sent[0]?.account, { id: "200" })
    })
  )
})

describe("a code over WhatsApp", () => {
  it.effect("is sent from the merchant's own connected number, and never from another merchant's", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const other = yield* stranger(world)
      const request = otp("+91 98765 43210", { channel: "WHATSAPP", wabaId: "200" })
      const refused = { _tag: "InvalidField", field: "wabaId" } as const
      assert.deepInclude(yield* Effect.flip(world.verifications.initiate(world.live, request)), refused)
      yield* world.numbers.connect(world.live, number)
      yield* world.verifications.initiate(world.live, request)
      yield* until(Effect.sync(() => world.sent.length === 1))
      assert.deepInclude(world.sent[0], { _tag: "Code", options: { wabaId: "200" } })
      assert.strictEqual(Redacted.value(world.sent[0]!.account!.accessToken), "token-1")
      assert.deepInclude(yield* Effect.flip(world.verifications.initiate(other, request)), refused)
      // The channel's own numbers need no account.
      yield* world.verifications.initiate(other, { ...request, wabaId: ownNumber })
      yield* until(Effect.sync(() => world.sent.length === 2))
      assert.strictEqual(world.sent[1]?.account, undefined)
    })
  )
})
