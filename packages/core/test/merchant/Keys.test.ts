import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Redacted, type Result } from "effect"
import { TestClock } from "effect/testing"
import type { Caller, KeyWithSecret } from "../../src/index.ts"
import { KeyStore, StoreError } from "../../src/index.storage.ts"
import { makeProcess, makeStorage, makeWorld, secrets, start } from "../fixtures/World.ts"

const hour = 3_600_000

const short = (result: Result.Result<unknown, { readonly _tag: string }>) =>
  result._tag === "Success" ? "in" : result.failure._tag

const world = Effect.gen(function* () {
  const w = yield* makeWorld({ idle: true })
  const desk = w.keyService
  const enter = (id: string, secret: Redacted.Redacted | null) =>
    Effect.map(Effect.result(w.merchants.authenticate(id, secret ?? Redacted.make(""))), short)
  const listed = (id: string, owner: Caller = w.live) =>
    Effect.map(desk.list(owner), (found) => found.find((key) => key.id === id))
  const failure = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
    Effect.map(Effect.flip(effect), ({ _tag }) => _tag)
  const server = (fields = {}) => Effect.orDie(desk.create(w.live, { type: "SERVER", ...fields }))
  return { ...w, desk, enter, listed, failure, server }
})

describe("API keys", () => {
  it.effect("are created with scopes and a name, and are listed without their secret", () =>
    Effect.gen(function* () {
      const w = yield* world
      const all = ["auth", "leads", "dashboard"] as const
      const made = yield* w.server({ scopes: ["leads", "auth", "auth"], name: " billing " })
      assert.match(made.key.id, /^cs_live_[0-9a-z]{24}$/)
      assert.match(Redacted.value(made.clientSecret!), /^sk_live_[0-9a-z]{40}$/)
      assert.deepStrictEqual(made.key, {
        id: made.key.id,
        type: "SERVER",
        scopes: ["auth", "leads"],
        name: "billing",
        createdAt: start,
        lastUsedAt: null,
        retiringAt: null
      })
      const app = yield* w.desk.create(w.test, { type: "PUBLIC", name: "" })
      assert.match(app.key.id, /^pk_test_[0-9a-z]{24}$/)
      assert.deepInclude(app.key, { type: "PUBLIC", scopes: [], name: null })
      assert.isNull(app.clientSecret)
      assert.deepStrictEqual((yield* w.server()).key.scopes, all)
      assert.deepStrictEqual((yield* w.server({ scopes: null })).key.scopes, all)
      const shown = JSON.stringify(yield* w.desk.list(w.live))
      assert.include(shown, made.key.id)
      assert.notInclude(shown, "sk_live_")
      const stored = JSON.stringify(yield* Context.get(w.storage, KeyStore).load(w.live.environment))
      assert.notInclude(stored, Redacted.value(made.clientSecret!).slice(8))
      const caller = yield* w.merchants.authenticate(made.key.id, made.clientSecret!)
      assert.deepStrictEqual(caller.scopes, ["auth", "leads"])
      assert.deepStrictEqual((yield* w.merchants.callerOfPublicKey(app.key.id)).scopes, [])
    })
  )

  it.effect("are refused with an invalid name, scope or overlap, and the error names the field", () =>
    Effect.gen(function* () {
      const w = yield* world
      const field = <A, E>(effect: Effect.Effect<A, E>) =>
        Effect.map(Effect.flip(effect), (error) => (error as { readonly field?: string }).field)
      const create = (key: object) => field(w.desk.create(w.live, { type: "SERVER", ...key }))
      for (const name of ["x".repeat(61), "a\0b", "a\nb", "\ud83d"]) assert.strictEqual(yield* create({ name }), "name")
      assert.strictEqual(yield* create({ scopes: [] }), "scopes")
      assert.strictEqual(yield* create({ type: "PUBLIC", scopes: ["auth"] }), "scopes")
      const { key } = yield* w.server()
      for (const overlapHours of [-1, 169, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        assert.strictEqual(yield* field(w.desk.roll(w.live, key.id, { overlapHours })), "overlapHours")
      }
      const app = yield* Effect.orDie(w.desk.create(w.live, { type: "PUBLIC" }))
      assert.strictEqual(yield* field(w.desk.roll(w.live, app.key.id)), "id")
    })
  )

  it.effect("are limited to 100 per environment, and a revoked key makes room", () =>
    Effect.gen(function* () {
      const w = yield* world
      const made: Array<KeyWithSecret> = []
      for (let i = 2; i < 100; i++) made.push(yield* w.server())
      assert.strictEqual(yield* w.failure(w.desk.create(w.live, { type: "PUBLIC" })), "InvalidField")
      yield* w.desk.revoke(w.live, made[0]!.key.id)
      yield* w.server()
    })
  )

  it.effect("keep their id when rolled, and the old secret works until the overlap ends, to the millisecond", () =>
    Effect.gen(function* () {
      const w = yield* world
      for (const [overlapHours, span] of [
        [undefined, 24 * hour],
        [1, hour],
        [168, 168 * hour]
      ] as const) {
        const { clientSecret, key } = yield* w.server({ name: "n" })
        const rolled = yield* w.desk.roll(w.live, key.id, { overlapHours })
        const retiringAt = (yield* Effect.clockWith((clock) => clock.currentTimeMillis)) + span
        assert.deepStrictEqual(rolled.key, { ...key, retiringAt })
        assert.strictEqual((yield* w.listed(key.id))?.retiringAt, retiringAt)
        yield* TestClock.adjust(span - 1)
        assert.strictEqual(yield* w.enter(key.id, clientSecret), "in")
        assert.strictEqual(yield* w.enter(key.id, rolled.clientSecret), "in")
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* w.enter(key.id, clientSecret), "InvalidCredentials")
        assert.strictEqual(yield* w.enter(key.id, rolled.clientSecret), "in")
        assert.isNull((yield* w.listed(key.id))?.retiringAt)
      }
    })
  )

  it.effect("that are rolled without overlap accept the newest secret only", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { clientSecret, key } = yield* w.server()
      const second = yield* w.desk.roll(w.live, key.id)
      const third = yield* w.desk.roll(w.live, key.id, { overlapHours: 0 })
      assert.isNull(third.key.retiringAt)
      const entered = yield* Effect.forEach([clientSecret, second.clientSecret, third.clientSecret], (secret) =>
        w.enter(key.id, secret)
      )
      assert.deepStrictEqual(entered, ["InvalidCredentials", "InvalidCredentials", "in"])
    })
  )

  it.effect("that are rolled repeatedly accept the last four secrets, none longer than the last overlap", () =>
    Effect.gen(function* () {
      const w = yield* world
      const made = yield* w.server()
      const { key } = made
      const all = [made.clientSecret]
      for (let i = 0; i < 5; i++) all.push((yield* w.desk.roll(w.live, key.id, { overlapHours: 48 - i })).clientSecret)
      const entered = Effect.forEach(all, (secret) => w.enter(key.id, secret))
      const no = "InvalidCredentials"
      assert.deepStrictEqual(yield* entered, [no, no, "in", "in", "in", "in"])
      assert.strictEqual((yield* w.listed(key.id))?.retiringAt, start + 44 * hour)
      yield* TestClock.adjust(44 * hour)
      assert.deepStrictEqual(yield* entered, [no, no, no, no, no, "in"])
    })
  )

  it.effect("that are rolled 20 times concurrently end with one current secret", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { key } = yield* w.server()
      const rolled = yield* Effect.all(
        Array.from({ length: 20 }, () => w.desk.roll(w.live, key.id, { overlapHours: 1 })),
        { concurrency: "unbounded" }
      )
      const secretsIn = Effect.map(
        Effect.forEach(rolled, ({ clientSecret }) => w.enter(key.id, clientSecret)),
        (entered) => entered.filter((one) => one === "in").length
      )
      assert.strictEqual(yield* secretsIn, 4)
      yield* TestClock.adjust(hour)
      assert.strictEqual(yield* secretsIn, 1)
    })
  )

  it.effect(
    "that are revoked are refused here immediately and elsewhere within five seconds, with their session tokens",
    () =>
      Effect.gen(function* () {
        const w = yield* world
        const elsewhere = yield* makeProcess(w.storage, { idle: true, secret: secrets.first })
        const { clientSecret, key } = yield* w.server()
        const caller = yield* w.merchants.authenticate(key.id, clientSecret!)
        const { token } = yield* w.sdk.create(caller, {})
        const app = yield* Effect.orDie(w.desk.create(w.live, { type: "PUBLIC" }))
        const seen = ({ merchants, sdk }: Pick<typeof elsewhere, "merchants" | "sdk">) =>
          Effect.forEach(
            [
              merchants.authenticate(key.id, clientSecret!),
              sdk.authenticate(token),
              merchants.callerOfPublicKey(app.key.id)
            ],
            (one) => Effect.map(Effect.result(one), short)
          )
        assert.deepStrictEqual(yield* seen(w), ["in", "in", "in"])
        assert.deepStrictEqual(yield* seen(elsewhere), ["in", "in", "in"])
        yield* w.desk.revoke(w.live, key.id)
        yield* w.desk.revoke(w.live, app.key.id)
        const refused = Array<string>(3).fill("InvalidCredentials")
        assert.deepStrictEqual(yield* seen(w), refused)
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(yield* seen(elsewhere), refused)
        assert.isUndefined(yield* w.listed(key.id))
        assert.strictEqual(yield* w.failure(w.desk.revoke(w.live, key.id)), "UnknownKey")
        assert.strictEqual(yield* w.failure(w.desk.roll(w.live, key.id)), "UnknownKey")
        assert.notInclude(JSON.stringify(yield* Context.get(w.storage, KeyStore).load(w.live.environment)), "sk_live")
      })
  )

  it.effect("of another environment or merchant are unknown and unchanged", () =>
    Effect.gen(function* () {
      const w = yield* world
      const neighbour = yield* w.merchants.create("Neighbour")
      const theirs = yield* w.merchants.callerOf(neighbour.live.clientId)
      const { clientSecret, key } = yield* w.server()
      for (const owner of [w.test, theirs]) {
        assert.isUndefined(yield* w.listed(key.id, owner))
        assert.strictEqual(yield* w.failure(w.desk.roll(owner, key.id)), "UnknownKey")
        assert.strictEqual(yield* w.failure(w.desk.revoke(owner, key.id)), "UnknownKey")
      }
      for (const id of ["", "cs_live_404", "__proto__", "\0"]) {
        assert.strictEqual(yield* w.failure(w.desk.revoke(w.live, id)), "UnknownKey")
      }
      assert.strictEqual(yield* w.enter(key.id, clientSecret), "in")
    })
  )

  it.effect("include one with the dashboard scope that cannot be revoked, not even by concurrent revocations", () =>
    Effect.gen(function* () {
      const w = yield* world
      const first = w.keys.live.clientId
      yield* w.server({ scopes: ["auth"] })
      assert.strictEqual(yield* w.failure(w.desk.revoke(w.live, first)), "LastDashboardKey")
      assert.strictEqual(yield* w.enter(first, w.keys.live.clientSecret), "in")
      const other = yield* w.server({ scopes: ["dashboard"] })
      const ends = yield* Effect.all(
        [first, other.key.id].map((id) => Effect.map(Effect.result(w.desk.revoke(w.live, id)), short)),
        { concurrency: "unbounded" }
      )
      assert.sameMembers(ends, ["in", "LastDashboardKey"])
      const [left] = (yield* w.desk.list(w.live)).filter(({ scopes }) => scopes.includes("dashboard"))
      // The operator can create another key, so the operator may revoke this one.
      yield* w.desk.revoke(w.live, left!.id, { evenTheLast: true })
      assert.isUndefined(yield* w.listed(left!.id))
      assert.lengthOf(
        (yield* w.desk.list(w.test)).filter(({ scopes }) => scopes.includes("dashboard")),
        1
      )
    })
  )

  it.effect("store their last use to the hour: one write for an hour of requests, and one at shutdown", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const inner = Context.get(storage, KeyStore)
      const writes: Array<number> = []
      let away = false
      const counted = Context.add(storage, KeyStore, {
        ...inner,
        used: (uses) =>
          away
            ? Effect.fail(new StoreError({ operation: "KeyStore.used", cause: new Error("away") }))
            : Effect.tap(inner.used(uses), () => Effect.sync(() => writes.push(uses.length)))
      })
      const w = yield* makeWorld({ idle: true, storage: counted })
      const { clientId, clientSecret, publicKey } = w.keys.live
      const last = Effect.map(inner.load(w.live.environment), (loaded) => [
        loaded?.keys.find(({ id }) => id === clientId)?.lastUsedAt,
        loaded?.keys.find(({ id }) => id === publicKey)?.lastUsedAt
      ])
      const use = Effect.gen(function* () {
        yield* w.merchants.authenticate(clientId, clientSecret)
        yield* w.merchants.callerOfPublicKey(publicKey)
        yield* Effect.flip(w.merchants.authenticate(clientId, Redacted.make("wrong")))
      })
      yield* Effect.repeat(use, { times: 50 })
      assert.deepStrictEqual(yield* last, [null, null])
      // This process knows the use before it is stored.
      assert.strictEqual((yield* w.keyService.list(w.live)).find(({ id }) => id === publicKey)?.lastUsedAt, start)
      yield* TestClock.adjust("10 seconds")
      // Includes the test environment's key, which the world has used.
      assert.deepStrictEqual(writes, [3])
      assert.deepStrictEqual(yield* last, [start, start])
      for (let i = 0; i < 50; i++) yield* Effect.andThen(use, TestClock.adjust("1 minute"))
      assert.deepStrictEqual(writes, [3])
      away = true
      yield* TestClock.adjust("30 minutes")
      yield* use
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* last, [start, start])
      away = false
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(writes, [3, 2])
      assert.deepStrictEqual(yield* last, [start + hour, start + hour])
    })
  )

  it.effect("are not used by a request with a wrong secret", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { key } = yield* w.server()
      yield* w.enter(key.id, Redacted.make("wrong"))
      assert.isNull((yield* w.listed(key.id))?.lastUsedAt)
    })
  )
})
