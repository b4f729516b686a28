import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Logger, Redacted, type Result } from "effect"
import { TestClock } from "effect/testing"
import { byItself, KeyStore, noRecords, MerchantStore } from "../../src/index.storage.ts"
import { makeProcess, makeStorage, makeWorld, secrets } from "../fixtures/World.ts"

const day = 86_400_000
const day1 = "sk_live_of_day_one"
const day2 = "sk_live_of_day_two"

const short = (result: Result.Result<unknown, { readonly _tag: string }>) =>
  result._tag === "Success" ? "in" : result.failure._tag

const chosen = (kind: "live" | "test", secret: string, name = "acme") => ({
  clientId: `cs_${kind}_${name}`,
  clientSecret: Redacted.make(secret),
  publicKey: `pk_${kind}_${name}`
})

const world = Effect.gen(function* () {
  const w = yield* makeWorld({ idle: true })
  const lines: Array<string> = []
  const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
  /** Starts a process with this configured secret, and returns its log. */
  const start = (secret: string) =>
    Effect.gen(function* () {
      lines.length = 0
      const { merchants } = yield* makeProcess(w.storage, { idle: true, secret: secrets.first })
      const { environments } = yield* merchants.ensure("Acme", { live: chosen("live", secret), test: null })
      for (const one of [day1, day2]) assert.notInclude(lines.join(), one)
      const { id: environment, merchantId } = environments[0]!
      return { environment, merchantId, said: lines.join("\n"), merchants }
    }).pipe(Effect.provide(logger))
  const enter = (secret: string) =>
    Effect.map(Effect.result(w.merchants.authenticate(chosen("live", "").clientId, Redacted.make(secret))), short).pipe(
      (entered) => Effect.andThen(w.merchants.forget, entered)
    )
  const both = Effect.all([enter(day1), enter(day2)])
  return { ...w, start, enter, both, logger, lines }
})

describe("configured API keys", () => {
  it.effect("treat another secret for the same id as a roll: both work for a day, then the newer one", () =>
    Effect.gen(function* () {
      const w = yield* world
      assert.strictEqual((yield* w.start(day1)).said, "")
      assert.deepStrictEqual(yield* w.both, ["in", "InvalidCredentials"])
      assert.include((yield* w.start(day2)).said, "cs_live_acme")
      assert.deepStrictEqual(yield* w.both, ["in", "in"])
      assert.strictEqual((yield* w.start(day2)).said, "")
      yield* TestClock.adjust(day)
      assert.deepStrictEqual(yield* w.both, ["InvalidCredentials", "in"])
    })
  )

  it.effect(
    "allow processes with the old and the new secret in any order, and the day counts from the first new one",
    () =>
      Effect.gen(function* () {
        const w = yield* world
        yield* w.start(day1)
        yield* w.start(day2)
        for (const [after, secret] of [
          [1, day1],
          [2, day2],
          [12, day1],
          [8, day1]
        ] as const) {
          yield* TestClock.adjust(after * 3_600_000)
          const { said } = yield* w.start(secret)
          if (secret === day1) assert.include(said, "was replaced and stops working soon")
          assert.deepStrictEqual(yield* w.both, ["in", "in"])
        }
        yield* TestClock.adjust(3_600_000)
        assert.deepStrictEqual(yield* w.both, ["InvalidCredentials", "in"])
      })
  )

  it.effect("never restore a replaced secret when a start names it, and log a warning", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { environment, merchantId } = yield* w.start(day1)
      const owner = { ...byItself, merchantId, environment, kind: "live" } as const
      // An agent rolls the key because its secret leaked.
      const rolled = yield* w.keyService.roll(owner, "cs_live_acme", { overlapHours: 0 })
      const { said } = yield* w.start(day1)
      assert.include(said, "was replaced and no longer works")
      assert.include(said, "WARN")
      assert.strictEqual(yield* w.enter(day1), "InvalidCredentials")
      assert.strictEqual(yield* w.enter(Redacted.value(rolled.clientSecret!)), "in")
    })
  )

  it.effect("stay revoked when they were revoked, and keep their merchant", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { environment, merchantId } = yield* w.start(day1)
      const owner = { ...byItself, merchantId, environment, kind: "live" } as const
      for (const id of ["cs_live_acme", "pk_live_acme"]) yield* w.keyService.revoke(owner, id, { evenTheLast: true })
      for (const secret of [day1, day2]) {
        const again = yield* w.start(secret)
        assert.strictEqual(again.environment, environment)
        assert.include(again.said, "was revoked and no longer works")
        assert.deepStrictEqual(yield* w.both, ["InvalidCredentials", "InvalidCredentials"])
        const app = Effect.map(Effect.result(again.merchants.callerOfPublicKey("pk_live_acme")), short)
        assert.strictEqual(yield* app, "InvalidCredentials")
      }
    })
  )

  it.effect("may add a public key and test keys to an existing merchant", () =>
    Effect.gen(function* () {
      const w = yield* world
      yield* w.start(day1)
      const live = { ...chosen("live", day1), publicKey: "pk_live_newer" }
      const { environments } = yield* w.merchants.ensure("Acme", { live, test: chosen("test", "sk_test") })
      for (const [index, id] of [
        [0, "pk_live_acme"],
        [0, "pk_live_newer"],
        [1, "pk_test_acme"]
      ] as const) {
        assert.strictEqual((yield* w.merchants.callerOfPublicKey(id)).environment, environments[index]!.id)
      }
      const test = yield* w.merchants.authenticate("cs_test_acme", Redacted.make("sk_test"))
      assert.strictEqual(test.environment, environments[1]!.id)
    })
  )

  it.effect("are refused when an id belongs to another merchant or environment, and nothing changes", () =>
    Effect.gen(function* () {
      const w = yield* world
      yield* w.start(day1)
      const { live: theirs, test: theirTest } = w.keys
      const mine = chosen("live", day2)
      const before = JSON.stringify(yield* w.keyService.list(w.live))
      for (const keys of [
        { live: mine, test: { ...chosen("test", day2), clientId: theirs.clientId } },
        { live: mine, test: { ...chosen("test", day2), publicKey: theirTest.publicKey } },
        { live: { ...mine, publicKey: theirs.publicKey }, test: null },
        // The same merchant's other environment.
        { live: mine, test: { ...chosen("test", day2), publicKey: "pk_live_acme" } },
        // An unused live client id, with keys of another merchant.
        { live: { ...mine, clientId: "cs_live_new", publicKey: theirs.publicKey }, test: null },
        { live: chosen("live", day2, "new"), test: { ...chosen("test", day2), clientId: theirs.clientId } },
        { live: { ...mine, clientId: theirTest.clientId }, test: null }
      ]) {
        const taken = yield* Effect.flip(w.merchants.ensure("Acme", keys))
        assert.strictEqual(taken._tag, "KeysTaken")
        assert.notInclude(taken.message, day2)
      }
      assert.strictEqual(JSON.stringify(yield* w.keyService.list(w.live)), before)
      assert.lengthOf(yield* w.merchants.list({ after: null, limit: 10 }), 2)
    })
  )

  it.effect("create one merchant and roll once when 20 processes start together", () =>
    Effect.gen(function* () {
      const w = yield* world
      for (const secret of [day1, day2]) {
        yield* Effect.all(
          Array.from({ length: 20 }, () => w.merchants.ensure("Acme", { live: chosen("live", secret), test: null })),
          { concurrency: "unbounded" }
        )
      }
      assert.lengthOf(yield* w.merchants.list({ after: null, limit: 10 }), 2)
      const { environment } = yield* w.start(day2)
      const stored = yield* Context.get(w.storage, KeyStore).load(environment)
      assert.strictEqual(stored?.version, 2)
      assert.lengthOf(stored?.keys.find(({ id }) => id === "cs_live_acme")?.replaced ?? [], 1)
    })
  )
})

describe("a service without configured keys", () => {
  const names = ["cs_live_in_process", "cs_test_in_process", "pk_live_in_process", "pk_test_in_process"]

  it.effect("has one merchant, the same at each start, and no credential", () =>
    Effect.gen(function* () {
      const { merchants, storage } = yield* makeWorld({ idle: true })
      const first = yield* merchants.ensureInProcess("Acme")
      const { merchants: again } = yield* makeProcess(storage, { idle: true, secret: secrets.first })
      assert.deepStrictEqual(yield* again.ensureInProcess("Other"), first)
      assert.deepStrictEqual((yield* again.get(first.merchant.id)).credentials, [])
      const live = yield* again.callerIn(first.environments[0]!.id, "cs_live_in_process")
      assert.deepInclude(live, { kind: "live", credentialId: null, audience: "cs_live_in_process" })
      assert.strictEqual(live.settings.brand, "Acme")
      yield* again.setStatus(first.merchant.id, "SUSPENDED")
      assert.strictEqual((yield* Effect.flip(again.callerIn(live.environment, "x")))._tag, "MerchantSuspended")
      assert.strictEqual((yield* Effect.flip(again.callerIn("live_404", "x")))._tag, "InvalidCredentials")
    })
  )

  /** The data of an earlier version: a merchant with well-known keys. */
  const asBefore = Effect.gen(function* () {
    const storage = yield* makeStorage
    const w = yield* makeWorld({ idle: true, storage })
    const store = Context.get(storage, MerchantStore)
    const template = yield* w.merchants.get(w.keys.merchant.id)
    const merchant = { ...template.merchant, id: "mer_before" }
    const environments = template.environments.map((one) => ({
      ...one,
      id: `${one.kind}_before`,
      merchantId: merchant.id
    }))
    const credentials = template.credentials.map((one) => {
      const kind = one.id.includes("_live_") ? "live" : "test"
      return { ...one, id: `${one.id.slice(0, 2)}_${kind}_in_process`, environment: `${kind}_before` }
    })
    yield* store.create({ ...noRecords, merchant, environments, credentials })
    return { ...w, store }
  })

  const open = Effect.fnUntraced(function* ({ merchants, store }: Effect.Success<typeof asBefore>) {
    for (const name of names) {
      for (const one of [merchants.callerOf(name), merchants.callerOfPublicKey(name)]) {
        assert.strictEqual((yield* Effect.flip(one))._tag, "InvalidCredentials")
      }
    }
    return yield* Effect.filter(names, (name) =>
      Effect.map(store.access(name), (found) => found !== null && found.credential.revokedAt === null)
    )
  })

  it.effect("revokes the well-known keys of an earlier version at the next start, with or without keys", () =>
    Effect.gen(function* () {
      for (const keys of [null, { live: chosen("live", day1), test: null }]) {
        const w = yield* asBefore
        assert.lengthOf(yield* open(w), 4)
        if (keys !== null) yield* w.merchants.ensure("Acme", keys)
        else {
          const { environments, merchant } = yield* w.merchants.ensureInProcess("Acme")
          assert.strictEqual(merchant.id, "mer_before")
          assert.strictEqual(environments[0]!.id, "live_before")
        }
        assert.deepStrictEqual(yield* open(w), [])
      }
    })
  )

  it.effect("refuses a well-known name for a configured key", () =>
    Effect.gen(function* () {
      const { merchants } = yield* makeWorld({ idle: true })
      for (const live of [
        { ...chosen("live", day1), clientId: names[0]! },
        { ...chosen("live", day1), publicKey: names[2]! }
      ]) {
        const refused = yield* Effect.flip(merchants.ensure("Acme", { live, test: null }))
        assert.include(refused.message, "is a well-known id")
      }
    })
  )
})
