import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { VerificationStore } from "../../src/index.storage.ts"
import { contended, unreliable, withStore } from "../fixtures/FaultyStore.ts"
import { answer, indian, makeProcess, makeStorage, makeWorld, otp, wrong } from "../fixtures/World.ts"

describe("between the reads of a person and of their verification", () => {
  it.effect("another process may log in and start a new verification, and one verification stays live", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const { codeOf, live, verifications } = yield* makeWorld({ storage, idle: true })
      const first = (yield* verifications.initiate(live, otp(indian))).verification

      const meanwhile = Effect.gen(function* () {
        yield* verifications.verify(live, { requestId: first.id, otp: codeOf(first) })
        return (yield* verifications.initiate(live, otp(indian))).verification.id
      })
      let others: string | null = null
      const late = yield* makeProcess(
        withStore(storage, (store) => ({
          load: (environment, id) =>
            Effect.suspend(() =>
              others === null
                ? Effect.andThen(
                    Effect.orDie(Effect.tap(meanwhile, (id) => Effect.sync(() => void (others = id)))),
                    store.load(environment, id)
                  )
                : store.load(environment, id)
            )
        })),
        { idle: true }
      )
      const mine = (yield* late.verifications.initiate(live, otp(indian))).verification.id
      assert.notStrictEqual(mine, first.id)
      assert.strictEqual(mine, others)
    })
  )
})

describe("a commit that fails", () => {
  const broken = Effect.fnUntraced(function* (plan: ReadonlyArray<"fine" | "before" | "after">) {
    const storage = yield* makeStorage
    const world = yield* makeWorld({ storage: withStore(storage, unreliable(plan)), idle: true })
    return { ...world, store: Context.get(storage, VerificationStore) }
  })

  it.effect("does not reveal whether a code is right, and never refunds an attempt", () =>
    Effect.gen(function* () {
      // The first commit is the initiate.
      const { codeOf, live, verifications } = yield* broken(["fine", "before", "after", "before", "after"])
      const { verification } = yield* verifications.initiate(live, otp(indian))
      const code = codeOf(verification)
      const enter = (text: string) =>
        Effect.result(verifications.verify(live, { requestId: verification.id, otp: text }))
      const seen: Array<readonly [string, number, string]> = []
      for (const text of [wrong(code), wrong(code), code, wrong(code), wrong(code), wrong(code), code]) {
        const result = yield* enter(text)
        const { attempts, status } = yield* verifications.status(live, { requestId: verification.id })
        const said = result._tag === "Success" ? String(answer(result.success)) : result.failure._tag
        seen.push([said, attempts, status])
      }
      assert.deepStrictEqual(seen, [
        ["StoreError", 0, "PENDING"],
        ["StoreError", 1, "PENDING"],
        ["StoreError", 1, "PENDING"],
        ["StoreError", 2, "PENDING"],
        ["0", 3, "PENDING"],
        ["AttemptsExhausted", 3, "FAILED"],
        ["AttemptsExhausted", 3, "FAILED"]
      ])
    })
  )

  it.effect("after a right code was stored leaves the login verified, and a repeat reports that", () =>
    Effect.gen(function* () {
      const { codeOf, events, live, verifications } = yield* broken(["fine", "after"])
      const { verification } = yield* verifications.initiate(live, otp(indian))
      const request = { requestId: verification.id, otp: codeOf(verification) }
      assert.strictEqual((yield* Effect.flip(verifications.verify(live, request)))._tag, "StoreError")
      assert.strictEqual(answer(yield* verifications.verify(live, request)), "again")
      assert.strictEqual((yield* events(live)).length, 2)
    })
  )

  it.effect("during initiate stores nothing or everything", () =>
    Effect.gen(function* () {
      const { events, live, store, verifications } = yield* broken(["before", "after"])
      const initiate = verifications.initiate(live, otp(indian), "key 1")
      assert.strictEqual((yield* Effect.flip(initiate))._tag, "StoreError")
      assert.strictEqual((yield* store.subject(live.environment, "919876543210")).version, 0)
      assert.deepStrictEqual(yield* events(live), [])
      assert.strictEqual((yield* Effect.flip(initiate))._tag, "StoreError")
      const { resends } = (yield* initiate).verification
      assert.deepStrictEqual([resends, (yield* events(live)).length], [0, 1])
    })
  )
})

describe("a request that loses to other commits", () => {
  it.effect("tries again, and decides again with the new state", () =>
    Effect.gen(function* () {
      const storage = withStore(yield* makeStorage, contended(200))
      const { codeOf, live, verifications } = yield* makeWorld({ storage, idle: true })
      const { verification } = yield* verifications.initiate(live, otp(indian))
      const enter = (text: string) => verifications.verify(live, { requestId: verification.id, otp: text })
      assert.strictEqual(answer(yield* enter(wrong(codeOf(verification)))), 2)
      assert.strictEqual(answer(yield* enter(codeOf(verification))), "right")
    })
  )

  it.effect("gives up with Contended after 200 tries, and stores nothing", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const { events, live, verifications } = yield* makeWorld({
        storage: withStore(storage, contended(201)),
        idle: true
      })
      assert.strictEqual((yield* Effect.flip(verifications.initiate(live, otp(indian))))._tag, "Contended")
      assert.deepStrictEqual(yield* events(live), [])
      assert.strictEqual((yield* verifications.initiate(live, otp(indian))).verification.resends, 0)
    })
  )
})
