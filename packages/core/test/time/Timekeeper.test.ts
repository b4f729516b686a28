import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { ClockRecord, ClockStore, JobStore, Timekeeper } from "../../src/index.storage.ts"
import { add, job, kind, left, runner } from "../fixtures/jobs.ts"
import { link, makeLinkWorld } from "../fixtures/links.ts"
import { steadyNow } from "../../src/foundation/time/steadyTime.ts"
import { withSetClock } from "../fixtures/setClock.ts"
import { recordingChannel } from "../fixtures/RecordingChannel.ts"
import { makeStorage, makeWorld, otp, start, withSettings } from "../fixtures/World.ts"

const second = 1_000
const hour = 3_600_000
const day = 24 * hour

const handled = Effect.fnUntraced(function* (storage: Effect.Success<typeof makeStorage>) {
  const ran: Array<{ readonly key: string; readonly at: number }> = []
  const jobs = yield* runner(storage)
  yield* jobs.handle(kind, ({ key }) =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      ran.push({ key, at })
      return { _tag: "Completed" as const }
    })
  )
  return ran
})

/** The clock of a process, shifted against the others. */
const shifted =
  (shift: { by: number }) =>
  (clock: Clock.Clock): Clock.Clock => ({
    currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + shift.by,
    currentTimeMillis: Effect.sync(() => clock.currentTimeMillisUnsafe() + shift.by),
    currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
    currentTimeNanos: clock.currentTimeNanos,
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  })

/** A timekeeper on this storage. Returns its age limit for deletions. */
const keeper = (storage: Effect.Success<typeof makeStorage>) =>
  Effect.map(Effect.provideContext(Timekeeper.make, storage), ({ aged }) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.orDie(aged(now)))
  )

describe("waiting jobs when the clock is set back", () => {
  it.effect("run when they would have run, as do webhook retries and singleton jobs", () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const storage = yield* makeStorage
        const ran = yield* handled(storage)
        yield* add(storage, [job("soon", 5 * second), job("later", 60 * second)])
        yield* TestClock.adjust("2 seconds")
        set(-5.5 * hour)
        yield* TestClock.adjust("4 seconds")
        assert.deepStrictEqual(
          ran.map(({ key }) => key),
          ["send:soon"]
        )
        yield* TestClock.adjust("54 seconds")
        assert.deepStrictEqual(
          ran.map(({ key, at }) => [key, (at - start + 5.5 * hour) / second]),
          [
            ["send:soon", 5],
            ["send:later", 60]
          ]
        )
      })
    )
  )

  it.effect("are moved once, although two processes notice it, one of them five seconds late", () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const storage = yield* makeStorage
        const late = { by: 0 }
        yield* runner(storage)
        yield* Effect.updateService(runner(storage), Clock.Clock, shifted(late))
        yield* add(storage, [job("waits", 120 * second)])
        yield* TestClock.adjust("20 seconds")
        set(-90 * second)
        late.by = 90 * second
        yield* TestClock.adjust("5 seconds")
        late.by = 0
        yield* TestClock.adjust("20 seconds")
        assert.strictEqual(yield* left(storage), start + 30 * second)
      })
    )
  )

  it.effect("run on time although a process continued for seconds with the previous time", () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const storage = yield* makeStorage
        const late = { by: 0 }
        const ran: Array<number> = []
        yield* runner(storage)
        const other = yield* Effect.updateService(runner(storage), Clock.Clock, shifted(late))
        yield* Effect.updateService(
          other.handle(kind, () =>
            Effect.gen(function* () {
              ran.push(yield* steadyNow)
              return { _tag: "Later" as const, runAt: (yield* Clock.currentTimeMillis) + second, reason: "goes on" }
            })
          ),
          Clock.Clock,
          shifted(late)
        )
        yield* add(storage, [job("repeats")])
        yield* TestClock.adjust("20 seconds")
        set(-5.5 * hour)
        late.by = 5.5 * hour
        yield* TestClock.adjust("5 seconds")
        late.by = 0
        yield* TestClock.adjust("3 seconds")
        const before = ran.length
        yield* TestClock.adjust("20 seconds")
        assert.isAtLeast(ran.length - before, 15)
      })
    )
  )

  it.effect("are moved again when the clock goes ahead and back within a minute, once by two processes", () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const storage = yield* makeStorage
        yield* runner(storage)
        yield* runner(storage)
        yield* TestClock.adjust("20 seconds")
        set(-hour)
        yield* TestClock.adjust("4 seconds")
        set(hour)
        yield* TestClock.adjust("4 seconds")
        yield* add(storage, [job("waits", 120 * second)])
        set(-hour)
        yield* TestClock.adjust("4 seconds")
        assert.strictEqual(yield* left(storage), start - hour + 120 * second)
      })
    )
  )

  it.effect("are moved at the start when the clock was set back while no process ran", () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const storage = yield* makeStorage
        set(5.5 * hour)
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* runner(storage)
            yield* add(storage, [job("waits", 5.5 * hour + 30 * second)])
            yield* TestClock.adjust("10 seconds")
          })
        )
        set(-5.5 * hour)
        const ran = yield* handled(storage)
        yield* TestClock.adjust("31 seconds")
        assert.deepStrictEqual(
          ran.map(({ key }) => key),
          ["send:waits"]
        )
      })
    )
  )

  it.effect("stay unchanged when a process starts with a clock behind another one's, however often", () =>
    withSetClock(() =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const storage = yield* makeStorage
        const behind = shifted({ by: -3 * second })
        yield* runner(storage)
        yield* add(storage, [job("waits", hour)])
        yield* TestClock.adjust("20 seconds")
        for (let n = 0; n < 4; n++) {
          const other = Effect.updateService(runner(storage), Clock.Clock, behind)
          yield* Effect.scoped(Effect.andThen(other, TestClock.adjust("90 seconds")))
        }
        assert.strictEqual(yield* left(storage), start + hour)
      })
    )
  )

  it.effect("stay unchanged when a machine starts with a slow clock that is corrected ten seconds later", () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const storage = yield* makeStorage
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* runner(storage)
            yield* add(storage, [job("waits", 10 * hour)])
            yield* TestClock.adjust("10 seconds")
          })
        )
        set(-5.5 * hour)
        yield* runner(storage)
        yield* TestClock.adjust("10 seconds")
        set(5.5 * hour)
        yield* TestClock.adjust("60 seconds")
        assert.strictEqual(yield* left(storage), start + 10 * hour)
      })
    )
  )

  it.effect("run no earlier than promised when the clock was ahead for a while and is set back", () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        const [sms, whatsapp] = [recordingChannel("SMS"), recordingChannel("WHATSAPP")]
        const world = yield* makeWorld({ channels: [sms.channel, whatsapp.channel] })
        const caller = withSettings(world.live, {
          codeExpirySeconds: 900,
          fallbackChannel: "WHATSAPP",
          fallbackAfterSeconds: 600
        })
        yield* TestClock.adjust("20 seconds")
        yield* world.verifications.initiate(caller, { ...otp("+919876543210"), channel: "SMS" })
        yield* TestClock.adjust("20 seconds")
        set(300 * second)
        yield* TestClock.adjust("20 seconds")
        set(-300 * second)
        yield* TestClock.adjust("559 seconds")
        assert.strictEqual(whatsapp.received.length, 0)
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(whatsapp.received.length, 1)
      })
    )
  )

  it.effect("stay unchanged when the clock is set forward, or back by less than a second", () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const storage = yield* makeStorage
        yield* runner(storage)
        yield* add(storage, [job("waits", 10 * hour)])
        yield* TestClock.adjust("2 seconds")
        set(-900)
        yield* TestClock.adjust("2 seconds")
        set(hour)
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual(yield* left(storage), start + 10 * hour)
      })
    )
  )
})

describe("a code that expires after the clock was set back", () => {
  const expired = (world: Effect.Success<ReturnType<typeof makeWorld>>) =>
    Effect.map(world.events(world.live), (all) =>
      all.flatMap((event) => (event.type === "otp.expired" ? [event.data.requestId] : []))
    )

  it.effect("is announced within two seconds: immediately if it is from before the step, and otherwise on time", () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const brief = withSettings(world.live, { codeExpirySeconds: 30 })
        yield* TestClock.adjust("2 minutes")
        const before = (yield* world.verifications.initiate(brief, otp("a@mail.example"))).verification.id
        yield* TestClock.adjust("5 seconds")
        set(-100 * second)
        yield* TestClock.adjust("3 seconds")
        assert.deepStrictEqual(yield* expired(world), [before])
        const after = (yield* world.verifications.initiate(brief, otp("b@mail.example"))).verification.id
        yield* TestClock.adjust("29 seconds")
        assert.deepStrictEqual(yield* expired(world), [before])
        yield* TestClock.adjust("3 seconds")
        assert.sameMembers([...(yield* expired(world))], [before, after])
        yield* TestClock.adjust("3 minutes")
        assert.strictEqual((yield* expired(world)).length, 2)
      })
    )
  )

  it.effect("is announced on time although a process continued for seconds with the previous time", () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        const storage = yield* makeStorage
        const world = yield* makeWorld({ storage })
        const brief = withSettings(world.live, { codeExpirySeconds: 30 })
        const jobs = Context.get(storage, JobStore)
        yield* TestClock.adjust("2 minutes")
        set(-100 * second)
        yield* TestClock.adjust("3 seconds")
        const made = (yield* world.verifications.initiate(brief, otp("b@mail.example"))).verification.id
        const ahead = (yield* Clock.currentTimeMillis) + 100 * second
        const kinds = [{ kind: "expiry", lease: 15 * second }]
        for (const taken of yield* jobs.claim({ kinds, limit: 1, now: ahead })) {
          const payload = { since: ahead, thorough: ahead }
          yield* jobs.retry(taken, { runAt: ahead + second, payload, reason: "goes on", failures: 0 })
        }
        yield* TestClock.adjust("29 seconds")
        assert.deepStrictEqual(yield* expired(world), [])
        yield* TestClock.adjust("3 seconds")
        assert.deepStrictEqual(yield* expired(world), [made])
      })
    )
  )

  it.effect("is invalid if it is from 5.5 hours in the future", () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const made = (yield* world.verifications.initiate(world.live, otp("a@mail.example"))).verification
        yield* TestClock.adjust("2 seconds")
        set(-5.5 * hour)
        const verify = world.verifications.verify(world.live, { requestId: made.id, otp: world.codeOf(made) })
        const answer = yield* Effect.flip(verify)
        assert.strictEqual(answer._tag, "VerificationExpired")
      })
    )
  )
})

describe("an authorisation code whose approval is in the future after the clock was set back", () => {
  it.effect("is neither shown nor exchanged for the next hours", () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        const { codeShown, links, live, tokenOf, verifications } = yield* makeLinkWorld()
        const { verification } = yield* verifications.initiate(live, link())
        yield* links.approve(tokenOf(verification), null)
        const approved = yield* verifications.status(live, { requestId: verification.id })
        const code = (yield* codeShown(approved)) ?? assert.fail("there is no code")
        set(-5.5 * hour)
        yield* TestClock.adjust("2 hours")
        assert.isNull(yield* codeShown(approved))
        assert.strictEqual((yield* Effect.flip(links.exchange(live, { code })))._tag, "UnknownAuthorisationCode")
      })
    )
  )
})

describe("data that is old enough to delete", () => {
  it.effect("does not exist on the first day of uptime, and afterwards was old a day of uptime ago", () =>
    withSetClock(() =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const aged = yield* keeper(yield* makeStorage)
        assert.isNull(yield* aged)
        yield* TestClock.adjust("23 hours")
        assert.isNull(yield* aged)
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* aged, start)
        yield* TestClock.adjust("1 hour")
        // The pass after 23 hours is not a day old.
        assert.strictEqual(yield* aged, start)
        yield* TestClock.adjust("23 hours")
        assert.strictEqual(yield* aged, start + 24 * hour)
      })
    )
  )

  it.effect("is not decided by a clock that is 40 days ahead for less than a day", () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const aged = yield* keeper(yield* makeStorage)
        for (let n = 0; n < 30; n++) {
          yield* aged
          yield* TestClock.adjust("1 hour")
        }
        set(40 * day)
        for (let n = 0; n < 23; n++) {
          assert.isBelow((yield* aged) ?? 0, start + 2 * day)
          yield* TestClock.adjust("1 hour")
        }
        set(-40 * day)
        for (let n = 0; n < 30; n++) {
          assert.isBelow((yield* aged) ?? 0, start + 4 * day)
          yield* TestClock.adjust("1 hour")
        }
      })
    )
  )

  it.effect("is found by processes that run for ten minutes a day, and five concurrent ones do not speed it up", () =>
    withSetClock(() =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const storage = yield* makeStorage
        const { load } = Context.get(storage, ClockStore)
        for (let today = 0; today < 143; today++) {
          const all = yield* Effect.forEach([1, 2, 3, 4, 5], () => keeper(storage))
          for (let minute = 0; minute <= 10; minute++) {
            for (const aged of all) assert.isNull(yield* aged)
            yield* TestClock.adjust(minute < 10 ? "1 minute" : "1430 minutes")
          }
        }
        assert.strictEqual((yield* load).uptime, 1_430 * 60 * second)
        const aged = yield* keeper(storage)
        assert.isNull(yield* aged)
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual(yield* aged, start)
      })
    )
  )

  it("is decided by a record of at most 26 passes", () => {
    let record = ClockRecord.empty
    for (let n = 0; n < 1_000; n++) record = ClockRecord.observed(record, n * 600 * second, start + n * 600 * second)
    assert.isAtMost(record.looks.length, 26)
    assert.deepStrictEqual(ClockRecord.decode(7, ClockRecord.encode(record)), { ...record, version: 7 })
  })
})
