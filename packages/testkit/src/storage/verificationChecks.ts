import { Conflict, EventStore, Subject, VerificationStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Race from "../Race.ts"
import {
  change,
  changed,
  claimFree,
  dataOf,
  device,
  event,
  fresh,
  guesses,
  job,
  noon,
  verification
} from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

/** A new person, in a separate environment. */
const stranger = Effect.gen(function* () {
  const store = yield* VerificationStore
  return yield* store.subject(fresh("env"), fresh("91"))
})

/** A person with one verification, as stored. */
const known = Effect.gen(function* () {
  const store = yield* VerificationStore
  const subject = yield* stranger
  const first = verification(subject)
  yield* store.commit(change(subject, { verification: first }))
  return { first, subject: yield* store.subject(subject.environment, subject.canonical) }
})

const isConflict = (error: unknown) => error instanceof Conflict

export const verificationChecks = [
  promise(
    "an unknown person is the empty person at version 0",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const environment = fresh("env")
      assert.deepStrictEqual(
        yield* store.subject(environment, "919876543210"),
        Subject.empty(environment, "919876543210")
      )
    })
  ),
  promise(
    "a relayed code keeps its seal until a later state drops it, and keeps all else",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const subject = yield* stranger
      const relayed = { kind: "Relayed", mark: "m1", locale: "hi", purpose: "sign-in", origin: null }
      const sealed = changed(verification(subject), { ...relayed, sealedCode: "key1.aXY=.c2VhbGVk" })
      yield* store.commit(change(subject, { verification: sealed }))
      assert.deepStrictEqual(yield* store.find(subject.environment, sealed.id), sealed)
      const dropped = changed(sealed, { sealedCode: null })
      const next = yield* store.subject(subject.environment, subject.canonical)
      yield* store.commit(change(next, { verification: dropped }))
      assert.deepStrictEqual(yield* store.find(subject.environment, sealed.id), dropped)
      assert.deepStrictEqual((yield* store.load(subject.environment, sealed.id))?.verification, dropped)
    })
  ),
  promise(
    "a committed state is loaded again, one version later",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const subject: Subject.Subject = {
        ...(yield* stranger),
        codes: [{ spelling: "+91 1", path: "SDK", at: [noon, noon + 1] }],
        guesses: { SERVER: { failures: 7, failedAt: noon }, SDK: { failures: 2, failedAt: noon - 1 } },
        live: [{ spelling: "+91 1", path: "SDK", mode: "OTP", id: "ver_x", expiresAt: noon + 5, command: "c1" }],
        devices: {
          revokedAt: noon - 1,
          trusted: [
            {
              id: "dvc_x",
              serial: 3,
              keyId: "key_1",
              replacedAt: [noon],
              trustedAt: noon - 9,
              usedAt: noon + 1,
              label: "Pixel 8"
            }
          ]
        }
      }
      const written = verification(subject, {
        deviceInfo: JSON.stringify({ os: "14" }),
        deliveries: [
          {
            id: "dlv_1",
            channel: "SMS",
            type: "OTP",
            status: "SENT",
            attemptNumber: 1,
            createdAt: noon,
            options: { header: "SHOP" },
            command: null,
            providerId: "p1",
            providerCode: null
          }
        ]
      })
      yield* store.commit(change(subject, { verification: written }))
      const expected = { ...subject, version: 1 }
      assert.deepStrictEqual(yield* store.subject(subject.environment, subject.canonical), expected)
      assert.deepStrictEqual(yield* store.find(subject.environment, written.id), written)
      assert.deepStrictEqual(yield* store.load(subject.environment, written.id), {
        verification: written,
        subject: expected
      })
    })
  ),
  promise(
    "a verification and its person change in one commit",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const { first, subject } = yield* known
      const next = { ...first, attempts: 1 }
      yield* store.commit(change({ ...subject, guesses: guesses(1) }, { verification: next }))
      const loaded = yield* store.load(subject.environment, first.id)
      assert.deepStrictEqual(loaded, { verification: next, subject: { ...subject, guesses: guesses(1), version: 2 } })
    })
  ),
  promise(
    "data of another environment does not exist here",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const { first, subject } = yield* known
      const elsewhere = fresh("env")
      yield* store.commit(change(subject, { verification: first, orderId: "order" }))
      assert.isNull(yield* store.find(elsewhere, first.id))
      assert.isNull(yield* store.load(elsewhere, first.id))
      assert.isNull(yield* store.findIdByOrder(elsewhere, "order"))
      assert.strictEqual((yield* store.subject(elsewhere, subject.canonical)).version, 0)
      // The same names exist side by side.
      const namesake = Subject.empty(elsewhere, subject.canonical)
      yield* store.commit(
        change(namesake, { verification: { ...first, environment: elsewhere, attempts: 2 }, orderId: "order" })
      )
      assert.strictEqual((yield* store.find(subject.environment, first.id))?.attempts, 0)
      assert.strictEqual((yield* store.find(elsewhere, first.id))?.attempts, 2)
      assert.strictEqual((yield* store.subject(subject.environment, subject.canonical)).version, 2)
    })
  ),
  promise(
    "when 200 commits start from one version, one succeeds and 199 leave nothing",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const events = yield* EventStore
      const { first, subject } = yield* known
      const kind = job("").kind
      const devices = Array.from({ length: 200 }, device)
      const race = yield* Race.together(200, (index) =>
        store
          .commit(
            change(
              { ...subject, guesses: guesses(index) },
              {
                verification: { ...first, attempts: index },
                orderId: `order_${index}`,
                deviceId: devices[index]!,
                events: [event(subject.environment, "otp.verified", { index })],
                jobs: [job(subject.environment, { kind, payload: { index } })]
              }
            )
          )
          .pipe(Effect.as(index))
      )
      assert.deepStrictEqual(race.defects, [])
      assert.strictEqual(race.successes.length, 1)
      assert.strictEqual(race.failures.filter(isConflict).length, 199)
      const [winner] = race.successes
      const loaded = yield* store.load(subject.environment, first.id)
      assert.deepStrictEqual(loaded?.subject, { ...subject, guesses: guesses(winner!), version: 2 })
      assert.strictEqual(loaded?.verification.attempts, winner)
      const recorded = yield* events.list({ environment: subject.environment, type: null, after: null, limit: 300 })
      assert.deepStrictEqual(
        recorded.map((one) => dataOf(one)["index"]),
        [winner]
      )
      const claimed = yield* claimFree(kind)
      assert.deepStrictEqual(
        claimed.map(({ payload }) => payload["index"]),
        [winner]
      )
      for (let index = 0; index < 200; index++) {
        const found = yield* store.findIdByOrder(subject.environment, `order_${index}`)
        assert.strictEqual(found, index === winner ? first.id : null)
        const owner = yield* store.findByDevice(subject.environment, devices[index]!)
        assert.strictEqual(owner, index === winner ? subject.canonical : null)
      }
    })
  ),
  promise(
    "when many commits create the same person, one succeeds",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const subject = yield* stranger
      const made = Array.from({ length: 50 }, () => verification(subject))
      const race = yield* Race.together(50, (index) =>
        Effect.as(store.commit(change(subject, { verification: made[index]! })), index)
      )
      assert.strictEqual(race.successes.length, 1)
      assert.strictEqual(race.failures.filter(isConflict).length, 49)
      for (const [index, { id }] of made.entries()) {
        assert.strictEqual((yield* store.find(subject.environment, id)) !== null, index === race.successes[0])
      }
    })
  ),
  promise(
    "commits for different people never block each other",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const subjects = yield* Effect.replicateEffect(stranger, 300)
      const race = yield* Race.together(300, (index) => store.commit(change(subjects[index]!)))
      assert.strictEqual(race.successes.length, 300)
      const after = yield* Effect.forEach(
        subjects,
        ({ canonical, environment }) => store.subject(environment, canonical),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        after,
        subjects.map((subject) => ({ ...subject, version: 1 }))
      )
    })
  ),
  promise(
    "a version other than the stored version is a conflict, also for an unknown person",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const { subject } = yield* known
      const unseen = yield* stranger
      for (const wrong of [
        { ...subject, version: 0 },
        { ...subject, version: 2 },
        { ...unseen, version: 3 }
      ]) {
        assert.isTrue(isConflict(yield* Effect.flip(store.commit(change(wrong)))))
      }
      assert.deepStrictEqual(yield* store.subject(subject.environment, subject.canonical), subject)
      assert.deepStrictEqual(yield* store.subject(unseen.environment, unseen.canonical), unseen)
    })
  ),
  promise(
    "a load after a commit sees the commit",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const subject = yield* stranger
      for (let version = 0; version < 30; version++) {
        // Concurrent readers read the same row; this load must not get one of their results.
        yield* Effect.forkChild(store.subject(subject.environment, subject.canonical), { startImmediately: true })
        yield* store.commit(change({ ...subject, version }))
        assert.strictEqual((yield* store.subject(subject.environment, subject.canonical)).version, version + 1)
      }
    })
  ),
  promise(
    "mutating a loaded state does not change the stored state",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const { first, subject } = yield* known
      const loaded = yield* store.find(subject.environment, first.id)
      Object.assign(loaded!, { status: "VERIFIED" })
      Object.assign(loaded!.identity, { canonical: "somebody else" })
      assert.deepStrictEqual(yield* store.find(subject.environment, first.id), first)
    })
  ),
  promise(
    "a device belongs to its person from the commit that adds it, permanently",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const { first, subject } = yield* known
      const { canonical, environment } = subject
      const [one, another] = [device(), device()]
      assert.isNull(yield* store.findByDevice(environment, one))
      yield* store.commit(change(subject, { verification: first, deviceId: one }))
      assert.strictEqual(yield* store.findByDevice(environment, one), canonical)
      // Also for a change without a verification. A device may also be named again.
      yield* store.commit(change({ ...subject, version: 2 }, { deviceId: another }))
      yield* store.commit(change({ ...subject, version: 3 }, { deviceId: one }))
      yield* store.commit(change({ ...subject, version: 4 }, { verification: first }))
      assert.strictEqual(yield* store.findByDevice(environment, one), canonical)
      assert.strictEqual(yield* store.findByDevice(environment, another), canonical)
      assert.isNull(yield* store.findByDevice(environment, first.id))
    })
  ),
  promise(
    "a device of a commit that conflicts belongs to no person",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const { first, subject } = yield* known
      const mine = device()
      for (const version of [0, 2]) {
        const late = change({ ...subject, version }, { verification: first, deviceId: mine })
        assert.isTrue(isConflict(yield* Effect.flip(store.commit(late))))
      }
      assert.isNull(yield* store.findByDevice(subject.environment, mine))
    })
  ),
  promise(
    "devices with the same id in two environments are independent",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const [here, elsewhere] = [yield* stranger, yield* stranger]
      const mine = device()
      yield* store.commit(change(here, { deviceId: mine }))
      assert.isNull(yield* store.findByDevice(elsewhere.environment, mine))
      yield* store.commit(change(elsewhere, { deviceId: mine }))
      assert.strictEqual(yield* store.findByDevice(here.environment, mine), here.canonical)
      assert.strictEqual(yield* store.findByDevice(elsewhere.environment, mine), elsewhere.canonical)
    })
  ),
  promise(
    "an order reference means the verification last committed with it",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const { first, subject } = yield* known
      const { environment } = subject
      assert.isNull(yield* store.findIdByOrder(environment, "order"))
      yield* store.commit(change(subject, { verification: first, orderId: "order" }))
      assert.strictEqual(yield* store.findIdByOrder(environment, "order"), first.id)
      const another = Subject.empty(environment, fresh("91"))
      const second = verification(another)
      yield* store.commit(change(another, { verification: second, orderId: "order" }))
      assert.strictEqual(yield* store.findIdByOrder(environment, "order"), second.id)
      // Without the reference it stays unchanged.
      yield* store.commit(change({ ...subject, version: 2 }, { verification: first }))
      assert.strictEqual(yield* store.findIdByOrder(environment, "order"), second.id)
    })
  ),
  promise(
    "many people may concurrently receive the same order reference",
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const environment = fresh("env")
      const made = Array.from({ length: 40 }, () => verification(Subject.empty(environment, fresh("91"))))
      const race = yield* Race.together(40, (index) =>
        store.commit(
          change(Subject.empty(environment, made[index]!.identity.canonical), {
            verification: made[index]!,
            orderId: "one order"
          })
        )
      )
      assert.strictEqual(race.successes.length, 40)
      const found = yield* store.findIdByOrder(environment, "one order")
      assert.isTrue(made.some(({ id }) => id === found))
    })
  )
]
