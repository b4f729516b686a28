import {
  Conflict,
  type ConnectedNumber,
  noRecords,
  NumberStore,
  SavedReplyStore,
  StoreError
} from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as Race from "../Race.ts"
import { fresh, noon } from "./fixtures.ts"
import { connectedNumber, savedReply } from "./leadFixtures.ts"
import { promise } from "./StorageCheck.ts"

const connect = Effect.fnUntraced(function* (number: ReturnType<typeof connectedNumber>) {
  return yield* (yield* NumberStore).commit({ ...noRecords, number })
})

const awkward = ["", "%_'\"\\", "<b>&amp;</b>", "\u0000", "\ud800", "\u{1f469}\u200d\u{1f680}", "x".repeat(4_096)]

export const numberChecks = [
  promise(
    "a connected number is unique across all environments",
    Effect.gen(function* () {
      const store = yield* NumberStore
      const environment = fresh("env")
      const made = connectedNumber(environment)
      assert.isNull(yield* store.get(made.id))
      assert.deepStrictEqual(yield* connect(made), { ...made, version: 1 })
      assert.deepStrictEqual(yield* store.get(made.id), { ...made, version: 1 })
      assert.instanceOf(yield* Effect.flip(connect({ ...made, environment: fresh("env") })), Conflict)
      const changed = { ...made, version: 1, sealed: "v1.other", displayName: null, displayNumber: null }
      assert.deepStrictEqual(yield* connect(changed), { ...changed, version: 2 })
      assert.instanceOf(yield* Effect.flip(connect({ ...changed, sealed: "v1.late" })), Conflict)
      assert.deepStrictEqual(yield* store.get(made.id), { ...changed, version: 2 })
      for (const missing of ["", "\u0000", "\ud800", "%"]) assert.isNull(yield* store.get(missing))
    })
  ),
  promise(
    "when 50 environments connect one number concurrently, one gets it",
    Effect.gen(function* () {
      const id = fresh("1099")
      const race = yield* Race.together(50, () => connect(connectedNumber(fresh("env"), { id })))
      assert.strictEqual(race.successes.length, 1)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
      assert.deepStrictEqual(yield* (yield* NumberStore).get(id), race.successes[0])
    })
  ),
  promise(
    "an environment's numbers come in connection order, and only that environment can delete them",
    Effect.gen(function* () {
      const store = yield* NumberStore
      const environment = fresh("env")
      const made = yield* Effect.forEach([3, 1, 2, 2], (at) =>
        connect(connectedNumber(environment, { connectedAt: noon + at }))
      )
      yield* connect(connectedNumber(fresh("env")))
      const expected = made.toSorted((a, b) => a.connectedAt - b.connectedAt || (a.id < b.id ? -1 : 1))
      assert.deepStrictEqual(yield* store.list(environment), expected)
      assert.deepStrictEqual(yield* store.list(fresh("env")), [])
      const [first] = made
      const remove = (more: Partial<ConnectedNumber>) => store.remove({ ...noRecords, number: { ...first!, ...more } })
      for (const other of [{ environment: fresh("env") }, { id: fresh("1") }, { id: "\u0000" }, { version: 2 }]) {
        assert.instanceOf(yield* Effect.flip(remove(other)), Conflict)
      }
      assert.deepStrictEqual(yield* store.get(first!.id), first)
      yield* remove({})
      assert.instanceOf(yield* Effect.flip(remove({})), Conflict)
      assert.isNull(yield* store.get(first!.id))
      assert.instanceOf(yield* Effect.flip(connect(first!)), Conflict)
      assert.strictEqual((yield* connect({ ...first!, environment: fresh("env"), version: 0 })).version, 1)
    })
  ),
  promise(
    "a provider's id of a number is stored exactly",
    Effect.forEach(awkward, (text) =>
      Effect.gen(function* () {
        const made = connectedNumber(fresh("env"), { displayName: text, displayNumber: text, accountId: text })
        yield* connect(made)
        assert.deepStrictEqual(yield* (yield* NumberStore).list(made.environment), [{ ...made, version: 1 }])
      })
    )
  )
]

export const savedReplyChecks = [
  promise(
    "saved replies come by age, are updated in place, and can be removed",
    Effect.gen(function* () {
      const store = yield* SavedReplyStore
      const environment = fresh("env")
      const made = [1, 2, 3].map(() => savedReply(environment))
      yield* Effect.forEach(made, store.save, { discard: true })
      const expected = made.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      assert.deepStrictEqual(yield* store.list(environment), expected)
      const changed = { ...expected[1]!, name: fresh("Other"), text: "%_\u0000 \ud800 नमस्ते" }
      yield* store.save(changed)
      assert.deepStrictEqual(yield* store.list(environment), [expected[0]!, changed, expected[2]!])
      assert.deepStrictEqual(yield* store.list(fresh("env")), [])
      assert.isFalse(yield* store.remove(fresh("env"), changed.id))
      assert.isFalse(yield* store.remove(environment, "\u0000"))
      assert.isTrue(yield* store.remove(environment, changed.id))
      assert.isFalse(yield* store.remove(environment, changed.id))
      assert.deepStrictEqual(yield* store.list(environment), [expected[0]!, expected[2]!])
    })
  ),
  promise(
    "saved replies of an environment have unique names, ignoring case",
    Effect.gen(function* () {
      const store = yield* SavedReplyStore
      const environment = fresh("env")
      const first = savedReply(environment, { name: "Thanks ÉÜ" })
      yield* store.save(first)
      const taken = (reply: typeof first) =>
        Effect.map(Effect.flip(store.save(reply)), (error) => assert.instanceOf(error, Conflict))
      yield* taken(savedReply(environment, { name: "thanks éü" }))
      yield* store.save({ ...first, name: "THANKS éü" })
      const second = savedReply(environment)
      yield* store.save(second)
      yield* taken({ ...second, name: first.name })
      yield* store.save(savedReply(fresh("env"), { name: first.name }))
      const race = yield* Race.together(50, (index) =>
        store.save(savedReply(environment, { name: index % 2 === 0 ? "Bye" : "BYE" }))
      )
      assert.strictEqual(race.successes.length, 1)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
      assert.strictEqual((yield* store.list(environment)).length, 3)
    })
  ),
  promise(
    "a saved reply with an awkward name is stored exactly, or refused",
    Effect.forEach(awkward, (name) =>
      Effect.gen(function* () {
        const store = yield* SavedReplyStore
        const reply = savedReply(fresh("env"), { name })
        const exit = yield* Effect.exit(store.save(reply))
        if (Exit.isSuccess(exit)) return assert.deepStrictEqual(yield* store.list(reply.environment), [reply])
        assert.instanceOf(yield* Effect.flip(exit), StoreError)
        assert.deepStrictEqual(yield* store.list(reply.environment), [])
      })
    )
  )
]
