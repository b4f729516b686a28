import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { changeOf, JobStore, type Storage, StoreError, VerificationStore } from "../../src/index.storage.ts"
import { distant, withStore } from "../fixtures/FaultyStore.ts"
import {
  answer,
  indian,
  makeProcess,
  makeStorage,
  makeWorld,
  otp,
  start,
  withSettings,
  type World,
  wrong
} from "../fixtures/World.ts"

const second = 1_000
const life = 60

const brief = ({ live }: World) =>
  withSettings(live, { codeExpirySeconds: life, resendCooldownSeconds: 5, maxAttempts: 1, maxConsecutiveFailures: 0 })

const beginAll = (world: World, count: number, from = 0) =>
  Effect.forEach(
    Array.from({ length: count }, (_, i) => i + from),
    (i) =>
      Effect.map(
        world.verifications.initiate(brief(world), otp(`person${i}@mail.example`)),
        (made) => made.verification
      )
  )

/** The expired verifications that were announced, with the seconds after the start. */
const announced = (world: World) =>
  Effect.map(world.events(world.live), (all) =>
    all.flatMap((event) =>
      event.type === "otp.expired" ? [{ id: event.data.requestId, after: (event.createdAt - start) / second }] : []
    )
  )

/** Asserts that each expiry was announced once, at most `late` seconds after its time. */
const assertAnnounced = Effect.fnUntraced(function* (world: World, ids: ReadonlyArray<string>, late = 2) {
  const told = yield* announced(world)
  assert.deepStrictEqual(told.map(({ id }) => id).toSorted(), ids.toSorted())
  for (const { after } of told) assert.isTrue(after >= life && after <= life + late, `after ${after} s`)
})

const idsOf = (made: ReadonlyArray<{ readonly id: string }>) => made.map(({ id }) => id)

describe("an expired verification", () => {
  it.effect("is announced once, within two seconds, and stays PENDING until the next attempt", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const [made] = yield* beginAll(world, 1)
      yield* TestClock.adjust("59999 millis")
      assert.deepStrictEqual(yield* announced(world), [])
      yield* TestClock.adjust("5 minutes")
      yield* assertAnnounced(world, [made!.id])
      const status = (id: string) =>
        Effect.map(world.verifications.status(world.live, { requestId: id }), (v) => v.status)
      assert.strictEqual(yield* status(made!.id), "PENDING")
      const late = world.verifications.verify(brief(world), { requestId: made!.id, otp: world.codeOf(made!) })
      assert.strictEqual((yield* Effect.flip(late))._tag, "VerificationExpired")
      assert.strictEqual(yield* status(made!.id), "EXPIRED")
      yield* TestClock.adjust("5 minutes")
      yield* assertAnnounced(world, [made!.id])
    })
  )

  it.effect("is announced in its own environment only", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* beginAll(world, 1)
      yield* world.verifications.initiate(withSettings(world.test, { codeExpirySeconds: 900 }), otp(indian))
      yield* TestClock.adjust("2 minutes")
      assert.lengthOf(yield* announced(world), 1)
      assert.deepStrictEqual(
        (yield* world.events(world.test)).map(({ type }) => type),
        ["otp.initiated"]
      )
    })
  )

  it.effect("is not announced after it was verified or failed", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const [right, guessed] = yield* beginAll(world, 2)
      const verify = (requestId: string, code: string) =>
        world.verifications.verify(brief(world), { requestId, otp: code })
      assert.strictEqual(answer(yield* verify(right!.id, world.codeOf(right!))), "right")
      yield* Effect.exit(verify(guessed!.id, wrong(world.codeOf(guessed!))))
      yield* Effect.exit(verify(guessed!.id, wrong(world.codeOf(guessed!))))
      assert.strictEqual((yield* world.verifications.status(world.live, { requestId: guessed!.id })).status, "FAILED")
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual(yield* announced(world), [])
    })
  )

  it.effect("is announced later when its code was sent again", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const [first] = yield* beginAll(world, 1)
      yield* TestClock.adjust("40 seconds")
      const [again] = yield* beginAll(world, 1)
      assert.strictEqual(again!.id, first!.id)
      const end = (again!.expiresAt - start) / second
      assert.isAbove(end, life)
      yield* TestClock.adjust(`${end - 40} seconds`)
      yield* TestClock.adjust("2 minutes")
      const told = yield* announced(world)
      assert.deepStrictEqual(idsOf(told), [first!.id])
      assert.isTrue(told[0]!.after >= end && told[0]!.after <= end + 2)
    })
  )

  it.effect("is announced once when an attempt arrives at the same moment", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ storage: withStore(yield* makeStorage, distant) })
      const made = yield* beginAll(world, 20)
      yield* TestClock.adjust("58 seconds")
      const tries = yield* Effect.forkChild(
        Effect.forEach(
          made,
          (one, i) =>
            Effect.andThen(
              Effect.sleep(1_990 + i * 50),
              Effect.exit(
                world.verifications.verify(brief(world), { requestId: one.id, otp: wrong(world.codeOf(one)) })
              )
            ),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(tries)
      // Attempts before the expiry failed their verification.
      const states = yield* Effect.forEach(made, ({ id }) => world.verifications.status(world.live, { requestId: id }))
      const inTime = states.filter(({ status }) => status === "FAILED").map(({ id }) => id)
      assert.isBelow(inTime.length, 3)
      yield* assertAnnounced(
        world,
        idsOf(made).filter((id) => !inTime.includes(id))
      )
    })
  )

  it.effect("is announced in time among hundreds that expire in the same second", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ storage: withStore(yield* makeStorage, distant) })
      const made = yield* beginAll(world, 600)
      assert.deepStrictEqual(new Set(made.map(({ expiresAt }) => expiresAt)).size, 1)
      yield* TestClock.adjust("60 seconds")
      // Storage answers in real time, so advance the clock in small steps.
      for (let steps = 0; steps < 300; steps++) yield* TestClock.adjust("10 millis")
      yield* assertAnnounced(world, idsOf(made))
    })
  )

  it.effect("is announced by the next sweep where one sweep runs out of time; the sweep resumes at its cursor", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const storage = withStore(yield* makeStorage, (store) => ({
        expired: (page) =>
          Effect.tap(store.expired(page), (found) => {
            if (found.length === 0) return Effect.void
            asked.push(page.after.id)
            return Effect.sleep("3 seconds")
          })
      }))
      const world = yield* makeWorld({ storage })
      const made = yield* beginAll(world, 1_600)
      yield* TestClock.adjust("2 minutes")
      yield* assertAnnounced(world, idsOf(made), 25)
      const inOrder = idsOf(made).toSorted()
      assert.deepStrictEqual(asked, ["", ...[511, 1_023, 1_535].map((last) => inOrder[last])])
    })
  )

  it.effect("is announced although its commit arrived after the sweep had passed its expiry", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const [made] = yield* beginAll(world, 1)
      const store = Context.get(world.storage, VerificationStore)
      yield* TestClock.adjust("200 seconds")
      for (const late of [1, 40]) {
        const loaded = (yield* store.load(world.live.environment, made!.id))!
        const expiresAt = start + 200 * second - late * second
        yield* store.commit(
          changeOf(
            null,
            loaded.subject,
            {
              ...loaded.verification,
              id: `ver_late${late}`,
              expiryAnnounced: false,
              expiresAt
            },
            null
          )
        )
      }
      yield* TestClock.adjust("1500 millis")
      assert.deepInclude(yield* announced(world), { id: "ver_late1", after: 201 })
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(
        idsOf(yield* announced(world)).toSorted(),
        [made!.id, "ver_late1", "ver_late40"].toSorted()
      )
    })
  )
})

describe("despite failures, every expiry is announced", () => {
  const lost = Effect.fail(new StoreError({ operation: "expired", cause: new Error("away") }))
  const broken = Effect.die(new Error("bug"))

  it.effect.each([
    ["fails", lost],
    ["breaks", broken]
  ] as const)("when the sweep's query %s", ([_how, failure]) =>
    Effect.gen(function* () {
      let looks = 0
      const storage = withStore(yield* makeStorage, (store) => ({
        expired: (page) =>
          Effect.suspend(() => (page.until >= start + life * second && looks++ < 40 ? failure : store.expired(page)))
      }))
      const world = yield* makeWorld({ storage })
      const made = yield* beginAll(world, 3)
      yield* TestClock.adjust("10 minutes")
      assert.isAbove(looks, 40)
      yield* assertAnnounced(world, idsOf(made), 205)
    })
  )

  it.effect.each([
    ["fails", lost],
    ["breaks", broken]
  ] as const)("when a commit %s", ([_how, failure]) =>
    Effect.gen(function* () {
      let commits = 0
      const storage = withStore(yield* makeStorage, (store) => ({
        commit: (change) =>
          change.events.some(({ type }) => type === "otp.expired") && commits++ < 5 ? failure : store.commit(change)
      }))
      const world = yield* makeWorld({ storage })
      const made = yield* beginAll(world, 10)
      yield* TestClock.adjust("5 minutes")
      yield* assertAnnounced(world, idsOf(made), 35)
    })
  )

  it.effect("except that of an unreadable verification, which delays no other", () =>
    Effect.gen(function* () {
      let poisoned = ""
      const storage = withStore(yield* makeStorage, (store) => ({
        load: (environment, id) => (id === poisoned ? broken : store.load(environment, id))
      }))
      const world = yield* makeWorld({ storage })
      const made = yield* beginAll(world, 600)
      poisoned = made.map(({ id }) => id).toSorted()[7]!
      yield* TestClock.adjust("2 minutes")
      yield* assertAnnounced(
        world,
        idsOf(made).filter((id) => id !== poisoned)
      )
    })
  )

  it.effect("when the sweep's job cannot be rescheduled", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const store = Context.get(storage, JobStore)
      let retries = 0
      const faulty: Context.Context<Storage> = Context.add(
        storage,
        JobStore,
        JobStore.of({
          ...store,
          retry: (...given) =>
            Effect.suspend(() => {
              const nth = retries++ % 7
              return nth === 3 ? lost : nth === 5 ? broken : store.retry(...given)
            })
        })
      )
      const world = yield* makeWorld({ storage: faulty })
      const made = yield* beginAll(world, 3)
      yield* TestClock.adjust("5 minutes")
      yield* assertAnnounced(world, idsOf(made), 31)
      const more = yield* beginAll(world, 3, 100)
      yield* TestClock.adjust("5 minutes")
      assert.lengthOf(yield* announced(world), made.length + more.length)
    })
  )

  it.effect("once, by one of two processes, while one stops and another starts", () =>
    Effect.gen(function* () {
      const storage = withStore(yield* makeStorage, distant)
      const world = yield* makeWorld({ storage })
      const scope = yield* Scope.make()
      yield* Scope.provide(makeProcess(storage), scope)
      const made = yield* beginAll(world, 300)
      yield* TestClock.adjust("60200 millis")
      const ending = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* TestClock.adjust("100 millis")
      yield* makeProcess(storage)
      yield* TestClock.adjust("40 seconds")
      yield* Fiber.join(ending)
      yield* assertAnnounced(world, idsOf(made), 31)
    })
  )

  it.effect("after the process that claimed the job was killed", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const world = yield* makeWorld({ storage, idle: true })
      const made = yield* beginAll(world, 3)
      // A process claims the job and is killed.
      const store = Context.get(storage, JobStore)
      yield* TestClock.adjust("30 seconds")
      const taken = yield* store.claim({
        kinds: [{ kind: "expiry", lease: 45 * second }],
        limit: 10,
        now: start + 30 * second
      })
      assert.lengthOf(taken, 1)
      yield* makeProcess(storage)
      yield* TestClock.adjust("2 minutes")
      yield* assertAnnounced(world, idsOf(made), 17)
    })
  )

  it.effect("hours after the start", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* TestClock.adjust("1 hour")
      const [made] = yield* beginAll(world, 1)
      yield* TestClock.adjust("62 seconds")
      assert.deepStrictEqual(idsOf(yield* announced(world)), [made!.id])
    })
  )
})
