import { Conflict, noRecords, MerchantStore } from "@countersign/core/storage"
import type { Merchant, Settings } from "@countersign/core"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Race from "../Race.ts"
import { fresh, merchant } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

const created = Effect.gen(function* () {
  const store = yield* MerchantStore
  const record = merchant()
  yield* store.create({ ...noRecords, ...record })
  return { record, store }
})

const byId = <A extends { readonly id: string }>(list: ReadonlyArray<A>) =>
  [...list].sort((a, b) => (a.id < b.id ? -1 : 1))

export const merchantChecks = [
  promise(
    "a merchant is read as created",
    Effect.gen(function* () {
      const { record, store } = yield* created
      const read = yield* store.get(record.merchant.id)
      assert.deepStrictEqual(read?.merchant, record.merchant)
      assert.deepStrictEqual(byId(read?.environments ?? []), byId(record.environments))
      assert.deepStrictEqual(byId(read?.credentials ?? []), byId(record.credentials))
      assert.isNull(yield* store.get(fresh("mer")))
    })
  ),
  promise(
    "a credential opens only its own environment",
    Effect.gen(function* () {
      const { record, store } = yield* created
      for (const credential of record.credentials) {
        const environment = record.environments.find(({ id }) => id === credential.environment)!
        const expected = { credential, environment, merchant: record.merchant }
        assert.deepStrictEqual(yield* store.access(credential.id), expected)
      }
      for (const missing of [fresh("cs_live"), "", "__proto__", "\u0000", "\ud800"]) {
        assert.isNull(yield* store.access(missing))
      }
    })
  ),
  promise(
    "an environment is found with its merchant",
    Effect.gen(function* () {
      const { record, store } = yield* created
      for (const environment of record.environments) {
        assert.deepStrictEqual(yield* store.environment(environment.id), { environment, merchant: record.merchant })
      }
      assert.isNull(yield* store.environment(fresh("env")))
    })
  ),
  promise(
    "creating an existing merchant fails and stores nothing",
    Effect.gen(function* () {
      const { record, store } = yield* created
      const other = merchant()
      const stealing = {
        ...other,
        credentials: [...other.credentials.slice(1), { ...other.credentials[0]!, id: record.credentials[0]!.id }]
      }
      for (const taken of [record, stealing, { ...other, merchant: record.merchant }]) {
        assert.instanceOf(yield* Effect.flip(store.create({ ...noRecords, ...taken })), Conflict)
      }
      assert.isNull(yield* store.get(other.merchant.id))
      assert.isNull(yield* store.access(other.credentials[1]!.id))
      const race = yield* Race.together(20, () => store.create({ ...noRecords, ...other }))
      assert.strictEqual(race.successes.length, 1)
      assert.strictEqual(race.failures.length, 19)
    })
  ),
  promise(
    "a merchant's name and status change only from the state that was read, and only for that merchant",
    Effect.gen(function* () {
      const { record, store } = yield* created
      const { record: bystander } = yield* created
      const from = record.merchant
      const to: Merchant.Merchant = { ...from, name: "मर्चेंट 🏪", status: "SUSPENDED" }
      yield* store.change({ ...noRecords, from, to })
      assert.deepStrictEqual((yield* store.get(from.id))?.merchant, to)
      assert.deepStrictEqual((yield* store.access(record.credentials[0]!.id))?.merchant, to)
      assert.deepStrictEqual((yield* store.get(bystander.merchant.id))?.merchant, bystander.merchant)
      for (const stale of [
        from,
        { ...to, name: from.name },
        { ...to, status: from.status },
        { ...to, id: fresh("mer") }
      ]) {
        assert.instanceOf(yield* Effect.flip(store.change({ ...noRecords, from: stale, to: from })), Conflict)
      }
      const race = yield* Race.together(20, (index) =>
        store.change({ ...noRecords, from: to, to: { ...to, name: String(index) } })
      )
      assert.strictEqual(race.successes.length, 1)
      assert.isTrue(race.failures.every((error) => error instanceof Conflict))
    })
  ),
  promise(
    "when many writers replace settings at one version, one succeeds",
    Effect.gen(function* () {
      const { record, store } = yield* created
      const [environment, other] = record.environments
      const save = (environment: string, version: number, settings: Partial<Settings>) =>
        store.saveSettings({ ...noRecords, environment, version, settings })
      const race = yield* Race.together(20, (index) =>
        save(environment!.id, 1, { codeLength: 4 + (index % 5), brand: `b${index}` })
      )
      assert.strictEqual(race.successes.length, 1)
      assert.isTrue(race.failures.every((error) => error instanceof Conflict))
      const winner = race.exits.findIndex((exit) => exit._tag === "Success")
      const read = yield* store.get(record.merchant.id)
      const environmentOf = (id: string) => read?.environments.find((one) => one.id === id)
      assert.deepStrictEqual(environmentOf(environment!.id), {
        ...environment!,
        settings: { codeLength: 4 + (winner % 5), brand: `b${winner}` },
        settingsVersion: 2
      })
      assert.deepStrictEqual(environmentOf(other!.id), other)
      yield* save(environment!.id, 2, {})
      assert.deepStrictEqual((yield* store.environment(environment!.id))?.environment.settings, {})
      assert.instanceOf(yield* Effect.flip(save(fresh("env"), 1, {})), Conflict)
    })
  ),
  promise(
    "merchants are listed by age, a page at a time",
    Effect.gen(function* () {
      const { store } = yield* created
      const { record } = yield* created
      yield* created
      const everyone = yield* store.list({ after: null, limit: 10_000 })
      assert.deepStrictEqual(everyone, byId(everyone))
      const index = everyone.findIndex(({ id }) => id === record.merchant.id)
      assert.deepStrictEqual(everyone[index], record.merchant)
      const rest = everyone.slice(index + 1)
      assert.deepStrictEqual(yield* store.list({ after: record.merchant.id, limit: 10_000 }), rest)
      assert.deepStrictEqual(yield* store.list({ after: record.merchant.id, limit: 1 }), rest.slice(0, 1))
      assert.strictEqual((yield* store.list({ after: null, limit: 1 })).length, 1)
    })
  )
]
