import type { Merchant } from "@countersign/core"
import { Conflict, KeyStore, noRecords, MerchantStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Race from "../Race.ts"
import { fresh, key, merchant, noon } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

const hour = 3_600_000

const created = Effect.gen(function* () {
  const merchants = yield* MerchantStore
  const store = yield* KeyStore
  const record = merchant()
  yield* merchants.create({ ...noRecords, ...record })
  const environment = record.environments[0]!.id
  const load = Effect.map(store.load(environment), (loaded) => loaded!)
  const found = (id: string) => Effect.map(load, ({ keys }) => keys.find((one) => one.id === id))
  const server = record.credentials.find((one) => one.environment === environment && one.kind === "SERVER")!
  return { record, merchants, store, environment, load, found, server }
})

const byId = (keys: ReadonlyArray<Merchant.Credential>) => keys.toSorted((a, b) => (a.id < b.id ? -1 : 1))

export const keyChecks = [
  promise(
    "an environment's keys are read as created, and no other environment's",
    Effect.gen(function* () {
      const { environment, load, record, store } = yield* created
      const mine = record.credentials.filter((one) => one.environment === environment)
      const { keys, ...rest } = yield* load
      assert.deepStrictEqual(rest, { environment, version: 1 })
      assert.deepStrictEqual(byId(keys), byId(mine))
      for (const missing of [fresh("env"), "", "\u0000", "\ud800"]) assert.isNull(yield* store.load(missing))
    })
  ),
  promise(
    "a commit adds and changes keys, all at the version that was read",
    Effect.gen(function* () {
      const { environment, found, load, merchants, server, store } = yield* created
      const scopes = ["auth", "leads"] as const
      const added = [
        key(environment, { scopes, name: "कुंजी 🔑" }),
        key(environment, { kind: "PUBLIC", scopes: [], secretHash: null })
      ]
      const replaced = [
        { hash: "cd".repeat(32), until: noon + 2 * hour },
        { hash: "ef".repeat(32), until: noon }
      ]
      const changed = { ...server, scopes, name: "n", secretHash: null, replaced, revokedAt: noon + 1 }
      yield* store.commit({ ...noRecords, environment, version: 1, added, changed: [changed] })
      assert.strictEqual((yield* load).version, 2)
      for (const one of [...added, changed]) {
        assert.deepStrictEqual(yield* found(one.id), one)
        assert.deepStrictEqual((yield* merchants.access(one.id))?.credential, one)
      }
      yield* store.commit({ ...noRecords, environment, version: 2, added: [], changed: [server] })
      assert.deepStrictEqual(yield* found(server.id), server)
    })
  ),
  promise(
    "when 20 commits start from one version, one succeeds and 19 leave nothing",
    Effect.gen(function* () {
      const { environment, load, server, store } = yield* created
      const keys = Array.from({ length: 20 }, (_, index) => key(environment, { name: String(index) }))
      const race = yield* Race.together(20, (index) =>
        store.commit({
          ...noRecords,
          environment,
          version: 1,
          added: [keys[index]!],
          changed: [{ ...server, name: String(index) }]
        })
      )
      assert.strictEqual(race.successes.length, 1)
      assert.isTrue(race.failures.every((error) => error instanceof Conflict))
      const winner = race.exits.findIndex((exit) => exit._tag === "Success")
      const { keys: left, version } = yield* load
      assert.strictEqual(version, 2)
      assert.lengthOf(left, 3)
      assert.deepStrictEqual(
        left.find(({ id }) => id === keys[winner]!.id),
        keys[winner]
      )
      assert.strictEqual(left.find(({ id }) => id === server.id)?.name, String(winner))
    })
  ),
  promise(
    "a key whose id already exists anywhere is refused with its whole commit",
    Effect.gen(function* () {
      const { environment, load, merchants, record, server, store } = yield* created
      const before = yield* load
      const elsewhere = record.credentials.find((one) => one.environment !== environment)!
      for (const taken of [elsewhere.id, server.id]) {
        const added = [key(environment), key(environment, { id: taken })]
        const changed = [{ ...server, name: "changed" }]
        assert.instanceOf(
          yield* Effect.flip(store.commit({ ...noRecords, environment, version: 1, added, changed })),
          Conflict
        )
        assert.deepStrictEqual(yield* load, before)
        assert.isNull(yield* merchants.access(added[0]!.id))
      }
      const nowhere = { ...noRecords, environment: fresh("env"), version: 0, added: [], changed: [] }
      assert.instanceOf(yield* Effect.flip(store.commit(nowhere)), Conflict)
    })
  ),
  promise(
    "the last use of a key only moves forward, despite concurrent writes",
    Effect.gen(function* () {
      const { environment, found, server, store } = yield* created
      const last = Effect.map(found(server.id), (one) => one?.lastUsedAt)
      yield* store.used([])
      yield* store.used([
        { id: server.id, hour: noon + hour },
        { id: server.id, hour: noon },
        { id: fresh("cs"), hour: noon },
        { id: "\u0000", hour: noon }
      ])
      assert.strictEqual(yield* last, noon + hour)
      yield* store.used([{ id: server.id, hour: noon }])
      assert.strictEqual(yield* last, noon + hour)
      // The commit was decided on keys read before that use.
      yield* store.commit({
        ...noRecords,
        environment,
        version: 1,
        added: [],
        changed: [{ ...server, name: "renamed" }]
      })
      assert.deepStrictEqual(yield* found(server.id), { ...server, name: "renamed", lastUsedAt: noon + hour })
      const race = yield* Race.together(20, (index) => store.used([{ id: server.id, hour: noon + index * hour }]))
      assert.strictEqual(race.successes.length, 20)
      assert.strictEqual(yield* last, noon + 19 * hour)
    })
  )
]
