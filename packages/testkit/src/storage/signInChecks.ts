import { Conflict, noRecords, type Passkey, PasskeyStore, SubjectStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Race from "../Race.ts"
import { fresh, noon } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

export const passkey = (fields: Partial<Passkey> = {}): Passkey => ({
  id: fresh("passkey"),
  version: 0,
  canonical: fresh("asha@example.com"),
  opens: [{ merchantId: "mer_a", agentId: 1, era: 2, proven: true }],
  handle: "aGFuZGxl",
  publicKey: "a2V5",
  counter: 0,
  transports: ["internal"],
  name: "My phone \u0000 \ud800",
  createdAt: noon,
  lastUsedAt: null,
  answered: [],
  removedAt: null,
  ...fields
})

export const knownSubject = (
  fields: Partial<SubjectStore.KnownSubject> = {},
  canonical = fresh("asha@example.com")
): SubjectStore.KnownSubject => ({
  issuer: "https://accounts.example.com",
  subject: fresh("subject"),
  version: 0,
  canonical,
  addresses: [canonical],
  opens: [{ merchantId: "mer_a", agentId: 1, era: 2, proven: true }],
  knownSince: noon,
  ...fields
})

const commit = Effect.fnUntraced(function* (one: Passkey) {
  return yield* (yield* PasskeyStore).commit({ ...noRecords, passkey: one })
})

export const signInChecks = [
  promise(
    "passkeys are found by id and by owner, oldest first, and a removed passkey only by id",
    Effect.gen(function* () {
      const store = yield* PasskeyStore
      const canonical = fresh("asha@example.com")
      const [later, first] = [passkey({ canonical, createdAt: noon + 1 }), passkey({ canonical })]
      for (const one of [later, first, passkey()]) yield* commit(one)
      const stored = { ...first, version: 1 }
      assert.deepStrictEqual(yield* store.list(canonical), [stored, { ...later, version: 1 }])
      assert.deepStrictEqual(yield* store.get(first.id), stored)
      const gone = { ...stored, publicKey: "", removedAt: noon + 5 }
      assert.deepStrictEqual(yield* commit(gone), { ...gone, version: 2 })
      assert.deepStrictEqual(yield* store.list(canonical), [{ ...later, version: 1 }])
      assert.deepStrictEqual(yield* store.get(first.id), { ...gone, version: 2 })
      assert.isNull(yield* store.get(fresh("passkey")))
    })
  ),
  promise(
    "when 50 writers use a passkey at one version one succeeds, and when 50 create one id one succeeds",
    Effect.gen(function* () {
      const one = passkey()
      const made = yield* Race.together(50, (index) => commit({ ...one, counter: index }))
      assert.lengthOf(made.successes, 1)
      const known = made.successes[0]!
      const used = yield* Race.together(50, (index) => commit({ ...known, counter: 100 + index }))
      assert.lengthOf(used.successes, 1)
      assert.isTrue([...made.failures, ...used.failures].every((failure) => failure instanceof Conflict))
      assert.deepStrictEqual(yield* (yield* PasskeyStore).get(one.id), used.successes[0])
    })
  ),
  promise(
    "a provider's subject is one person, no matter which writer is first; the same subject at another provider is another person",
    Effect.gen(function* () {
      const store = yield* SubjectStore
      const said = knownSubject()
      const race = yield* Race.together(20, (index) =>
        store.commit({ ...noRecords, subject: { ...said, canonical: `somebody${index}@example.com` } })
      )
      assert.lengthOf(race.successes, 1)
      assert.isTrue(race.failures.every((failure) => failure instanceof Conflict))
      assert.deepStrictEqual(yield* store.get(said.issuer, said.subject), race.successes[0])
      const elsewhere = { ...said, issuer: "https://login.example.net" }
      assert.isNull(yield* store.get(elsewhere.issuer, said.subject))
      yield* store.commit({ ...noRecords, subject: elsewhere })
      assert.deepStrictEqual(yield* store.get(elsewhere.issuer, said.subject), { ...elsewhere, version: 1 })
    })
  ),
  promise(
    "a provider's subject moves to another address and agents once per version, and is found by each of its addresses",
    Effect.gen(function* () {
      const store = yield* SubjectStore
      const said = knownSubject()
      const [before, after] = [said.canonical, fresh("asha.sharma@example.com")]
      const known = yield* store.commit({ ...noRecords, subject: said })
      const moved = { ...known, canonical: after, addresses: [after, before], opens: [] }
      const race = yield* Race.together(20, () => store.commit({ ...noRecords, subject: moved }))
      assert.deepStrictEqual(race.successes, [{ ...moved, version: 2 }])
      assert.isTrue(race.failures.every((failure) => failure instanceof Conflict))
      for (const address of [before, after]) assert.deepStrictEqual(yield* store.list(address), race.successes)
      yield* store.commit({ ...noRecords, subject: { ...race.successes[0]!, addresses: [after] } })
      assert.deepStrictEqual(yield* store.list(before), [])
    })
  )
]
