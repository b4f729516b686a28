import { IdempotencyStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Race from "../Race.ts"
import { fresh, noon } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

const day = 86_400_000

/** A request with a new key. */
const request = (fields: { readonly fingerprint?: string; readonly holder?: string; readonly now?: number } = {}) => {
  const now = fields.now ?? noon
  return {
    scope: { environment: fresh("env"), endpoint: "POST /v1/auth/initiate", key: fresh("key") },
    fingerprint: fields.fingerprint ?? "body",
    holder: fields.holder ?? "first",
    now,
    leasedUntil: now + 30_000,
    keptSince: now - day
  }
}

const isTaken = ({ _tag }: IdempotencyStore.Record | IdempotencyStore.Taken) => _tag === "Taken"

const answer = { status: 200, body: '{"requestId":"ver_1","text":"ü \ud83d\ude00"}' }

export const idempotencyChecks = [
  promise(
    "when many callers use one key, one may run and the others learn which one",
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const one = request()
      const race = yield* Race.together(50, (index) => store.begin({ ...one, holder: `holder_${index}` }))
      assert.deepStrictEqual(race.failures, [])
      assert.strictEqual(race.successes.filter(isTaken).length, 1)
      for (const record of race.successes) {
        if (!isTaken(record)) assert.deepStrictEqual(record, { _tag: "Held", fingerprint: "body", answer: null })
      }
    })
  ),
  promise(
    "a stored answer is returned byte for byte to every caller",
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const one = request()
      assert.isTrue(isTaken(yield* store.begin(one)))
      yield* store.finish(one.scope, one.holder, answer)
      assert.deepStrictEqual(yield* store.begin(one), { _tag: "Held", fingerprint: "body", answer })
      // A request with another body learns the stored fingerprint. The lease no longer matters.
      const other = { ...one, fingerprint: "other body", holder: "second", now: one.leasedUntil + 1 }
      assert.deepStrictEqual(yield* store.begin(other), { _tag: "Held", fingerprint: "body", answer })
      yield* store.finish(one.scope, one.holder, { status: 500, body: "changed" })
      assert.deepStrictEqual(yield* store.begin(one), { _tag: "Held", fingerprint: "body", answer })
    })
  ),
  promise(
    "checking a key claims nothing, and sees running requests and stored answers",
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const one = request()
      assert.isFalse(yield* store.holds(one.scope, one.keptSince))
      assert.isTrue(isTaken(yield* store.begin(one)))
      assert.isTrue(yield* store.holds(one.scope, one.keptSince))
      assert.isFalse(yield* store.holds({ ...one.scope, key: fresh("key") }, one.keptSince))
      yield* store.finish(one.scope, one.holder, answer)
      assert.deepStrictEqual(
        [yield* store.holds(one.scope, one.now), yield* store.holds(one.scope, one.now + 1)],
        [true, false]
      )
    })
  ),
  promise(
    "environment, endpoint and key each separate the scope",
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const one = request()
      assert.isTrue(isTaken(yield* store.begin(one)))
      for (const other of [{ environment: fresh("env") }, { endpoint: "POST /other" }, { key: fresh("key") }]) {
        assert.isTrue(isTaken(yield* store.begin({ ...one, scope: { ...one.scope, ...other } })))
      }
      assert.isFalse(isTaken(yield* store.begin(one)))
    })
  ),
  promise(
    "a key whose holder died is claimed after the lease, by one caller, and only with the same body",
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const one = request()
      assert.isTrue(isTaken(yield* store.begin(one)))
      assert.isFalse(isTaken(yield* store.begin({ ...one, holder: "second", now: one.leasedUntil - 1 })))
      const late = { ...one, now: one.leasedUntil, leasedUntil: one.leasedUntil + 30_000 }
      const wrong = yield* store.begin({ ...late, fingerprint: "other body", holder: "third" })
      assert.deepStrictEqual(wrong, { _tag: "Held", fingerprint: "body", answer: null })
      const race = yield* Race.together(20, (index) => store.begin({ ...late, holder: `holder_${index}` }))
      assert.strictEqual(race.successes.filter(isTaken).length, 1)
      // The first holder resumes, and has lost the key.
      yield* store.finish(one.scope, one.holder, answer)
      yield* store.release(one.scope, one.holder)
      assert.deepStrictEqual(yield* store.begin({ ...late, holder: "last" }), {
        _tag: "Held",
        fingerprint: "body",
        answer: null
      })
    })
  ),
  promise(
    "a repeat that claims the key learns when the first request began",
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const one = request()
      assert.deepStrictEqual(yield* store.begin(one), { _tag: "Taken", firstAt: noon, isRepeat: false })
      const late = { ...one, holder: "second", now: one.leasedUntil, leasedUntil: one.leasedUntil + 30_000 }
      assert.deepStrictEqual(yield* store.begin(late), { _tag: "Taken", firstAt: noon, isRepeat: true })
      // The key is deleted a day after the first request, however often it was repeated.
      const old = { ...late, now: noon + day + 1, leasedUntil: noon + 2 * day, keptSince: noon + 1 }
      assert.strictEqual((yield* store.begin(old))._tag, "Taken")
      const next = { ...old, holder: "third", now: noon + 2 * day, keptSince: noon + day + 1 }
      assert.deepInclude(yield* store.begin(next), { _tag: "Taken", firstAt: noon + day + 1 })
    })
  ),
  promise(
    "an unlocked key is claimed immediately, only with the same body",
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const one = request()
      assert.isTrue(isTaken(yield* store.begin(one)))
      yield* store.unlock(one.scope, "another holder")
      assert.isFalse(isTaken(yield* store.begin({ ...one, holder: "second" })))
      yield* store.unlock(one.scope, one.holder)
      assert.isFalse(isTaken(yield* store.begin({ ...one, fingerprint: "other body", holder: "second" })))
      const again = yield* store.begin({ ...one, holder: "second" })
      assert.deepStrictEqual(again, { _tag: "Taken", firstAt: noon, isRepeat: true })
      // Later calls of the first holder change nothing.
      yield* store.unlock(one.scope, one.holder)
      yield* store.finish(one.scope, "second", answer)
      yield* store.unlock(one.scope, "second")
      assert.deepStrictEqual(yield* store.begin(one), { _tag: "Held", fingerprint: "body", answer })
    })
  ),
  promise(
    "a released key is free for any body",
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const one = request()
      assert.isTrue(isTaken(yield* store.begin(one)))
      yield* store.release(one.scope, "another holder")
      assert.isFalse(isTaken(yield* store.begin(one)))
      yield* store.release(one.scope, one.holder)
      assert.isTrue(isTaken(yield* store.begin({ ...one, fingerprint: "other body", holder: "second" })))
    })
  ),
  promise(
    "an answer past its retention counts as missing",
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const one = request()
      assert.isTrue(isTaken(yield* store.begin(one)))
      yield* store.finish(one.scope, one.holder, answer)
      assert.isFalse(isTaken(yield* store.begin({ ...one, keptSince: noon })))
      const now = noon + 2 * day
      const much = {
        ...one,
        fingerprint: "other body",
        holder: "second",
        now,
        leasedUntil: now + 1,
        keptSince: noon + day
      }
      assert.isTrue(isTaken(yield* store.begin(much)))
      assert.deepStrictEqual(yield* store.begin(much), { _tag: "Held", fingerprint: "other body", answer: null })
    })
  ),
  promise(
    "purging deletes old answers, returns how many, and keeps the rest",
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      // Older than anything else, so that no other check's keys are counted.
      const old = Array.from({ length: 1_200 }, () => request({ now: 1_000 }))
      const kept = request({ now: 2_000 })
      yield* Effect.forEach([...old, kept], store.begin, { concurrency: 50, discard: true })
      assert.strictEqual(yield* store.purge(2_000), old.length)
      assert.strictEqual(yield* store.purge(2_000), 0)
      assert.isTrue(isTaken(yield* store.begin(old[0]!)))
      assert.isFalse(isTaken(yield* store.begin(kept)))
      yield* store.purge(3_000)
    })
  )
]
