import { Identifier, type Instant, type Verification } from "@countersign/core"
import { Subject, VerificationStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { change, changed, fresh, verification } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

/**
 * Expiries are read across all environments. So each check uses its own hours between 1970 and 2004, when no other
 * check's verification expires.
 */
const ownHours = (): Instant.Instant => Identifier.timeOf(`ver_00${Identifier.randomText(8)}`)

const beginning = (of: Instant.Instant) => ({ expiresAt: of, id: "" })

const expired = Effect.fnUntraced(function* (
  from: Instant.Instant,
  until: Instant.Instant,
  {
    after = beginning(from),
    limit = 1_000
  }: { after?: { expiresAt: Instant.Instant; id: string }; limit?: number } = {}
) {
  return yield* (yield* VerificationStore).expired({ after, until, limit })
})

/** Reads page after page, with a limit: a store that loops should fail and not hang. */
const allPages = Effect.fnUntraced(function* (from: Instant.Instant, until: Instant.Instant, limit: number) {
  const seen: Array<VerificationStore.Expired> = []
  let after = beginning(from)
  for (let pages = 0; pages < 10; pages++) {
    const page = yield* expired(from, until, { after, limit })
    seen.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < limit) break
    after = last
  }
  return seen
})

/** A new person with one verification, committed. */
const started = Effect.fnUntraced(function* (environment: string, fields: Partial<Verification.Verification>) {
  const subject = Subject.empty(environment, fresh("91"))
  const made = verification(subject, fields)
  yield* (yield* VerificationStore).commit(change(subject, { verification: made }))
  return made
})

const shown = ({ environment, expiresAt, id }: Verification.Verification): VerificationStore.Expired => ({
  environment,
  expiresAt,
  id
})

const inOrder = (a: VerificationStore.Expired, b: VerificationStore.Expired) =>
  a.expiresAt - b.expiresAt || (a.id < b.id ? -1 : 1)

export const expiryChecks = [
  promise(
    "expired verifications of every environment come by expiry time, up to and including the requested moment",
    Effect.gen(function* () {
      const from = ownHours()
      const made = yield* Effect.forEach([7, 3, 5, 3, 11, 9], (after) =>
        started(fresh("env"), { expiresAt: from + after })
      )
      const all = made.map(shown).sort(inOrder)
      assert.deepStrictEqual(yield* expired(from, from + 11), all)
      assert.deepStrictEqual(yield* expired(from, from + 9), all.slice(0, 5))
      assert.deepStrictEqual(yield* expired(from, from + 8), all.slice(0, 4))
      assert.deepStrictEqual(yield* expired(from, from + 2), [])
      assert.deepStrictEqual(yield* expired(from, from + 11, { limit: 2 }), all.slice(0, 2))
      assert.deepStrictEqual(yield* expired(from + 5, from + 8), all.slice(2, 4))
      assert.deepStrictEqual(yield* expired(from, from + 11, { after: all[2]! }), all.slice(3))
    })
  ),
  promise(
    "the cursor continues among verifications that expire at the same moment",
    Effect.gen(function* () {
      const from = ownHours()
      const environment = fresh("env")
      const made = yield* Effect.forEach(
        Array.from({ length: 30 }, (_, index) => (index < 25 ? 5 : 6)),
        (after) => started(environment, { expiresAt: from + after }),
        { concurrency: 10 }
      )
      const all = made.map(shown).sort(inOrder)
      assert.deepStrictEqual(yield* allPages(from, from + 6, 7), all)
      // Without an id, everything at that instant is still to come.
      assert.deepStrictEqual(yield* expired(from + 5, from + 5), all.slice(0, 25))
    })
  ),
  promise(
    "only verifications that await their expiry are returned",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const from = ownHours()
      const environment = fresh("env")
      const expiresAt = from + 1
      const waiting = yield* started(environment, { expiresAt })
      yield* started(environment, { expiresAt, expiryAnnounced: true })
      for (const status of ["VERIFIED", "EXPIRED", "FAILED"] as const)
        yield* started(environment, { expiresAt, status })
      assert.deepStrictEqual(yield* expired(from, expiresAt), [shown(waiting)])
      // It is removed by the change that ends it, and returns with the change that reopens it.
      const { canonical } = waiting.identity
      const save = (fields: Partial<Verification.Verification>) =>
        Effect.flatMap(store.subject(environment, canonical), (subject) =>
          store.commit(change(subject, { verification: changed(waiting, fields) }))
        )
      for (const fields of [{ status: "VERIFIED" }, { status: "FAILED" }, { expiryAnnounced: true }] as const) {
        yield* save(fields)
        assert.deepStrictEqual(yield* expired(from, expiresAt), [])
        yield* save({ attempts: 1 })
        assert.deepStrictEqual(yield* expired(from, expiresAt), [shown(waiting)])
      }
    })
  ),
  promise(
    "resending a code moves its expiry, and nothing else does",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const from = ownHours()
      const first = yield* started(fresh("env"), { expiresAt: from + 10 })
      const { environment, identity } = first
      for (const later of [20, 20, 35, 15]) {
        const next = { ...first, expiresAt: from + later }
        const subject = yield* store.subject(environment, identity.canonical)
        yield* store.commit(change(subject, { verification: next }))
        assert.deepStrictEqual(yield* expired(from, from + 1_000), [shown(next)])
        assert.deepStrictEqual(yield* expired(from, from + later - 1), [])
      }
    })
  ),
  promise(
    "a commit that conflicts moves no expiry",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const from = ownHours()
      const first = yield* started(fresh("env"), { expiresAt: from + 10 })
      const stale = Subject.empty(first.environment, first.identity.canonical)
      yield* Effect.flip(store.commit(change(stale, { verification: { ...first, expiresAt: from + 20 } })))
      yield* Effect.flip(store.commit(change(stale, { verification: changed(first, { status: "FAILED" }) })))
      assert.deepStrictEqual(yield* expired(from, from + 100), [shown(first)])
    })
  ),
  promise(
    "more than a thousand expired verifications are read page by page, each exactly once",
    Effect.gen(function* () {
      const from = ownHours()
      const environments = [fresh("env"), fresh("env"), fresh("env")]
      const made = yield* Effect.forEach(
        Array.from({ length: 1_300 }, (_, index) => index),
        (index) => started(environments[index % 3]!, { expiresAt: from + (index % 40), attempts: index % 3 }),
        { concurrency: 200 }
      )
      assert.deepStrictEqual(yield* allPages(from, from + 39, 512), made.map(shown).sort(inOrder))
    })
  )
]
