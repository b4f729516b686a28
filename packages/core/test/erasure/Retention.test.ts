import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Code } from "../../src/index.ts"
import { EventStore, VerificationStore } from "../../src/index.storage.ts"
import { withSetClock } from "../fixtures/setClock.ts"
import { makeProcess, makeStorage, otp, start, withSettings } from "../fixtures/World.ts"

const day = 86_400_000

/** A process that runs retention only, with a clock that the test moves. */
const makeKept = Effect.fnUntraced(function* (retention: { readonly verifications: number; readonly events: number }) {
  yield* TestClock.setTime(start)
  const storage = yield* makeStorage
  const process = yield* makeProcess(storage, { idle: true, retention })
  const keys = yield* Effect.orDie(process.merchants.create("Acme"))
  const live = yield* Effect.orDie(process.merchants.authenticate(keys.live.clientId, keys.live.clientSecret))
  const people = Context.get(storage, VerificationStore)
  const events = Context.get(storage, EventStore)
  const login = (identity: string, orderId: string) =>
    Effect.map(
      Effect.orDie(process.verifications.initiate(live, otp(identity, { channel: "SMS", orderId }))),
      ({ verification }) => verification
    )
  const left = Effect.gen(function* () {
    const all = yield* events.list({ environment: live.environment, type: null, after: null, limit: 100 })
    return all.map(({ createdAt }) => (createdAt - start) / day)
  })
  return { ...process, storage, live, people, login, left }
})

describe("retention", () => {
  it.effect("deletes old verifications with their references, old events, and people without data", () =>
    Effect.gen(function* () {
      const { left, live, login, people } = yield* makeKept({ verifications: 3, events: 1 })
      const { environment } = live
      const old = yield* login("+919876543210", "first")
      yield* TestClock.setTime(start + 2 * day)
      const young = yield* login("+919876543210", "second")
      const other = yield* login("+919876543211", "third")
      // The last pass was two days ago, so the next starts immediately.
      yield* TestClock.adjust("1 hour")
      assert.isNotNull(yield* people.find(environment, old.id))
      assert.deepStrictEqual(yield* left, [2, 2])
      yield* TestClock.setTime(start + 4 * day)
      yield* TestClock.adjust("1 hour")
      assert.isNull(yield* people.find(environment, old.id))
      assert.isNull(yield* people.findIdByOrder(environment, "first"))
      assert.isNotNull(yield* people.find(environment, young.id))
      assert.isAbove((yield* people.subject(environment, "919876543210")).version, 0)
      assert.deepStrictEqual(yield* left, [])
      yield* TestClock.setTime(start + 6 * day)
      yield* TestClock.adjust("7 hours")
      for (const { id } of [young, other]) assert.isNull(yield* people.find(environment, id))
      for (const canonical of ["919876543210", "919876543211"]) {
        assert.strictEqual((yield* people.subject(environment, canonical)).version, 0)
      }
    })
  )

  it.effect("keeps a person while they have a trusted device", () =>
    Effect.gen(function* () {
      const { keyring, live, people, verifications } = yield* makeKept({ verifications: 1, events: 1 })
      const oneTap = withSettings(live, { oneTap: true })
      const asked = yield* verifications.initiate(oneTap, otp("+919876543210", { channel: "SMS" }))
      const { codeLength, id, keyId } = asked.verification
      const code = Code.derive(keyring.find(keyId)!, id, codeLength)
      const { deviceToken } = asked
      yield* verifications.verify(oneTap, { requestId: id, otp: code, deviceToken })
      const { environment } = live
      yield* TestClock.setTime(start + 2 * day)
      yield* TestClock.adjust("7 hours")
      assert.isNull(yield* people.find(environment, id))
      const [device] = (yield* people.subject(environment, "919876543210")).devices.trusted
      assert.strictEqual(yield* people.findByDevice(environment, device!.id), "919876543210")
      yield* TestClock.setTime(start + 32 * day)
      yield* TestClock.adjust("7 hours")
      assert.strictEqual((yield* people.subject(environment, "919876543210")).version, 0)
      assert.isNull(yield* people.findByDevice(environment, device!.id))
    })
  )

  it.effect("deletes nothing while the clock is 40 days ahead for 72 seconds, also after a restart", () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        const { left, live, login, people, storage } = yield* makeKept({ verifications: 30, events: 30 })
        const made = yield* login("+919876543210", "first")
        yield* TestClock.adjust("25 hours")
        set(40 * day)
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* makeProcess(storage, { idle: true, retention: { verifications: 30, events: 30 } })
            yield* TestClock.adjust("72 seconds")
          })
        )
        yield* TestClock.adjust("12 hours")
        set(-40 * day)
        yield* TestClock.adjust("40 hours")
        assert.isNotNull(yield* people.find(live.environment, made.id))
        assert.deepStrictEqual(yield* left, [0])
      })
    )
  )
})
