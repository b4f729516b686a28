import { assert, describe, it } from "@effect/vitest"
import { Cause, Clock, Context, Effect, Exit, Redacted, type Result } from "effect"
import { TestClock } from "effect/testing"
import {
  defaultSettings,
  InvalidCredentials,
  type Merchants,
  MerchantSuspended,
  UnknownMerchant
} from "../../src/index.ts"
import { MerchantStore, StoreError } from "../../src/index.storage.ts"
import { makeProcess, makeStorage, makeWorld, secrets } from "../fixtures/World.ts"

type Keys = { readonly clientId: string; readonly clientSecret: Redacted.Redacted }

const short = (result: Result.Result<unknown, { readonly _tag: string }>) =>
  result._tag === "Success" ? "in" : result.failure._tag
const enter = (merchants: Merchants["Service"], { clientId, clientSecret }: Keys) =>
  Effect.map(Effect.result(merchants.authenticate(clientId, clientSecret)), short)

describe("merchants", () => {
  it.effect("have different keys for their two environments", () =>
    Effect.gen(function* () {
      const { keys, live, merchants, test } = yield* makeWorld({ idle: true })
      const { clientId, clientSecret, publicKey } = keys.live
      assert.match(clientId, /^cs_live_[0-9a-z]{24}$/)
      assert.match(Redacted.value(clientSecret), /^sk_live_[0-9a-z]{40}$/)
      assert.match(publicKey, /^pk_live_[0-9a-z]{24}$/)
      assert.match(keys.test.clientId, /^cs_test_/)
      assert.deepStrictEqual(
        [live, test].map(({ kind, merchantId, settings }) => ({ kind, merchantId, settings })),
        (["live", "test"] as const).map((kind) => ({
          kind,
          merchantId: keys.merchant.id,
          settings: { ...defaultSettings, brand: "Acme" }
        }))
      )
      assert.notStrictEqual(live.environment, test.environment)
      assert.strictEqual(live.credentialId, clientId)
      const stored = JSON.stringify(yield* merchants.get(keys.merchant.id))
      assert.notInclude(stored, Redacted.value(clientSecret).slice(8))
    })
  )

  it.effect("authenticate with their own id and secret only", () =>
    Effect.gen(function* () {
      const { keys, merchants } = yield* makeWorld({ idle: true })
      const other = yield* merchants.create("Other")
      const { clientId, clientSecret, publicKey } = keys.live
      const text = Redacted.value(clientSecret)
      const tries: ReadonlyArray<readonly [string, string]> = [
        [clientId, text],
        [clientId, ""],
        [clientId, text.slice(0, -1)],
        [clientId, `${text}x`],
        [clientId, text.toUpperCase()],
        [clientId, Redacted.value(keys.test.clientSecret)],
        [clientId, Redacted.value(other.live.clientSecret)],
        ["", text],
        ["", "nobody"],
        ["cs_live_unknown", "nobody"],
        ["__proto__", "nobody"],
        [clientId.toUpperCase(), text],
        [` ${clientId}`, text],
        [publicKey, ""],
        [publicKey, "nobody"],
        [publicKey, text]
      ]
      const answers = yield* Effect.forEach(tries, ([id, secret]) =>
        enter(merchants, { clientId: id, clientSecret: Redacted.make(secret) })
      )
      // A public key never authenticates as a server key, with any secret.
      assert.deepStrictEqual(answers, ["in", ...Array<string>(15).fill("InvalidCredentials")])
    })
  )

  it.effect(
    "are refused when suspended, here immediately and elsewhere within five seconds, and accepted when resumed",
    () =>
      Effect.gen(function* () {
        const storage = yield* makeStorage
        const { keys, merchants } = yield* makeWorld({ storage, idle: true })
        const elsewhere = (yield* makeProcess(storage, { idle: true, secret: secrets.first })).merchants
        const seen = Effect.all([enter(merchants, keys.live), enter(merchants, keys.test), enter(elsewhere, keys.live)])
        assert.deepStrictEqual(yield* seen, ["in", "in", "in"])
        yield* merchants.setStatus(keys.merchant.id, "SUSPENDED")
        assert.deepStrictEqual((yield* seen).slice(0, 2), ["MerchantSuspended", "MerchantSuspended"])
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(yield* seen, Array<string>(3).fill("MerchantSuspended"))
        const wrongSecret = { ...keys.live, clientSecret: Redacted.make("x") }
        assert.strictEqual(yield* enter(merchants, wrongSecret), "InvalidCredentials")
        yield* merchants.setStatus(keys.merchant.id, "ACTIVE")
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(yield* seen, ["in", "in", "in"])
      })
  )

  it.effect("are found without a step once they are known, under the same rules, and not after a suspension", () =>
    Effect.gen(function* () {
      const { keys, merchants } = yield* makeWorld({ idle: true })
      const { clientId, clientSecret } = keys.live
      const now = (secret: string) => {
        const found = merchants.authenticateNow(clientId, secret)
        if (found === null) return null
        return Exit.isSuccess(found) ? "in" : Cause.squash(found.cause)
      }
      const secret = Redacted.value(clientSecret)
      yield* TestClock.adjust("5 seconds")
      assert.isNull(now(secret))
      yield* merchants.authenticate(clientId, clientSecret)
      assert.strictEqual(now(secret), "in")
      assert.instanceOf(now(`${secret}x`), InvalidCredentials)
      yield* merchants.setStatus(keys.merchant.id, "SUSPENDED")
      assert.isNull(now(secret))
      yield* Effect.flip(merchants.authenticate(clientId, clientSecret))
      assert.instanceOf(now(secret), MerchantSuspended)
    })
  )

  it.effect("are refused within five seconds of a suspension, even when the clock is set back by five minutes", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const { keys, merchants } = yield* makeWorld({ storage, idle: true })
      let setBack = 0
      const wrongClock = (clock: Clock.Clock): Clock.Clock => ({
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() - setBack,
        currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now - setBack),
        currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe() - BigInt(setBack) * 1_000_000n,
        currentTimeNanos: Effect.map(clock.currentTimeNanos, (now) => now - BigInt(setBack) * 1_000_000n),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        sleep: (duration) => clock.sleep(duration)
      })
      const inWrongTime = Effect.updateService(Clock.Clock, wrongClock)
      const elsewhere = (yield* inWrongTime(makeProcess(storage, { idle: true, secret: secrets.first }))).merchants
      const seen = inWrongTime(
        Effect.all([
          enter(elsewhere, keys.live),
          Effect.map(Effect.result(elsewhere.callerOfPublicKey(keys.live.publicKey)), short)
        ])
      )
      assert.deepStrictEqual(yield* seen, ["in", "in"])
      yield* merchants.setStatus(keys.merchant.id, "SUSPENDED")
      setBack = 5 * 60_000
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* seen, ["MerchantSuspended", "MerchantSuspended"])
    })
  )

  it.effect("have names of 1 to 60 characters", () =>
    Effect.gen(function* () {
      const { merchants } = yield* makeWorld({ idle: true })
      const named = (name: string) => Effect.map(Effect.result(merchants.create(name)), short)
      assert.deepStrictEqual(
        yield* Effect.forEach([" Ünï 🎉 ", "x".repeat(60), "", "  ", "x".repeat(61), "a\0b", "\ud83d"], named),
        ["in", "in", ...Array<string>(5).fill("InvalidField")]
      )
      const { merchant } = yield* merchants.create("  Spaced  ")
      assert.strictEqual((yield* merchants.get(merchant.id)).merchant.name, "Spaced")
    })
  )

  it.effect("that are created with given keys are created once", () =>
    Effect.gen(function* () {
      const { merchants } = yield* makeWorld({ idle: true })
      const given = (kind: string) => ({
        clientId: `cs_${kind}_given`,
        clientSecret: Redacted.make(`sk_${kind}_given`),
        publicKey: `pk_${kind}_given`
      })
      const keys = { live: given("live"), test: given("test") }
      const first = yield* merchants.ensure("First", keys)
      assert.deepStrictEqual(yield* merchants.ensure("Again", keys), first)
      assert.strictEqual(yield* enter(merchants, keys.live), "in")
      assert.deepStrictEqual((yield* merchants.list({ after: null, limit: 10 })).map(({ name }) => name).toSorted(), [
        "Acme",
        "First"
      ])
    })
  )

  it.effect("are unknown when they do not exist", () =>
    Effect.gen(function* () {
      const { merchants } = yield* makeWorld({ idle: true })
      assert.deepStrictEqual(yield* Effect.flip(merchants.get("mer_404")), new UnknownMerchant({ id: "mer_404" }))
      assert.strictEqual((yield* Effect.flip(merchants.setStatus("mer_404", "ACTIVE")))._tag, "UnknownMerchant")
      assert.strictEqual(yield* merchants.environment("live_404"), null)
    })
  )

  it.effect("authenticate again as soon as storage is back", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const { keys } = yield* makeWorld({ storage, idle: true })
      const store = Context.get(storage, MerchantStore)
      let away = true
      const flaky = MerchantStore.of({
        ...store,
        access: (id) =>
          Effect.suspend(() =>
            away ? Effect.fail(new StoreError({ operation: "access", cause: new Error("away") })) : store.access(id)
          )
      })
      const { merchants } = yield* makeProcess(Context.add(storage, MerchantStore, flaky), { idle: true })
      assert.strictEqual(yield* enter(merchants, keys.live), "StoreError")
      away = false
      assert.strictEqual(yield* enter(merchants, keys.live), "in")
    })
  )
})
