import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Bulk } from "../../src/message/sending/Bulk.ts"
import { Pace } from "../../src/message/sending/Pace.ts"
import { Senders } from "../../src/message/sending/Senders.ts"
import { type Channel, ChannelError, Channels, type Message, Refused, Unavailable } from "../../src/index.channel.ts"
import { Keyring } from "../../src/index.ts"
import { VerifierGuard } from "../../src/auth/verification/VerifierGuard.ts"
import * as RetryLater from "../../src/foundation/storage/RetryLater.ts"
import { add, job, kind, runner } from "../fixtures/jobs.ts"
import { withSetClock } from "../fixtures/setClock.ts"
import { makeStorage, start } from "../fixtures/World.ts"
import { Jobs } from "../../src/foundation/outbox/Jobs.ts"

const second = 1_000
const step = -90 * second

const messageTo = (to: string): Message => ({
  _tag: "Code",
  deliveryId: "dlv_1",
  reference: "env_1.ver_1.dlv_1",
  to,
  brand: "Acme",
  locale: "en",
  text: Redacted.make("482913 is your code"),
  subject: Redacted.make(""),
  html: null,
  code: Redacted.make("482913"),
  validForSeconds: 300,
  expiresAt: start + 300_000,
  options: {}
})

const nothingWaits = Layer.mergeAll(
  Channels.layer([]),
  Layer.orDie(Keyring.layer({ secret: Redacted.make("00".repeat(32)) })),
  Layer.succeed(Jobs, {
    handle: () => Effect.void,
    pass: () => Effect.void,
    adopt: () => Effect.void,
    commit: (jobs, commit) => commit(jobs)
  })
)

/** A test whose clock starts at `start` and can be set, with its own `Senders`. */
const testSet = (title: string, body: (set: (by: number) => void) => Effect.Effect<void, unknown, Senders>) =>
  it.effect(title, () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        yield* Effect.provide(body(set), Layer.fresh(Senders.layer.pipe(Layer.provide(nothingWaits))))
      })
    )
  )

const channelOf = (send: Channel["send"], perSecond?: number): Channel => ({
  name: "SMS",
  provider: "acme",
  supports: { identityTypes: ["MOBILE"], receipts: true },
  ...(perSecond === undefined ? {} : { limits: { perSecond } }),
  send
})

const accept = Effect.succeed({ providerId: null })
const fail = (reason: ChannelError["reason"]) => Effect.fail(new ChannelError({ channel: "SMS", reason }))

describe("a clock that is set back by 90 seconds delays nothing in this process by more than a second:", () => {
  it.effect("a job that is committed afterwards runs at the next poll", () =>
    withSetClock((set) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const storage = yield* makeStorage
        const ran: Array<string> = []
        const jobs = yield* runner(storage)
        yield* jobs.handle(kind, ({ key }) => {
          ran.push(key)
          return Effect.succeed({ _tag: "Completed" as const })
        })
        yield* TestClock.adjust("5 seconds")
        set(step)
        yield* add(storage, [job("after", step)])
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(ran, ["send:after"])
      })
    )
  )

  testSet("a channel with a rate limit sends", (set) =>
    Effect.gen(function* () {
      const { send } = yield* Senders
      const channel = channelOf(() => accept, 10)
      yield* send(channel, messageTo("+12025550001"))
      set(step)
      const sending = yield* Effect.forkChild(send(channel, messageTo("+12025550002")))
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(sending))._tag, "Sent")
    })
  )

  testSet("a channel sends in bulk", (set) =>
    Effect.gen(function* () {
      const { sendInBulk } = yield* Senders
      const channel = channelOf(() => accept)
      yield* sendInBulk(channel, messageTo("+12025550001"), () => false)
      set(step)
      const sending = yield* Effect.forkChild(sendInBulk(channel, messageTo("+12025550002"), () => false))
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(sending))._tag, "Sent")
    })
  )

  testSet("an open circuit admits a trial after ten seconds, and its end is reported in the new time", (set) =>
    Effect.gen(function* () {
      const { health, send, state } = yield* Senders
      let isDown = true
      const channel = channelOf(() => (isDown ? fail(new Unavailable({ providerCode: "http_503" })) : accept))
      for (let n = 0; n < 5; n++) yield* send(channel, messageTo(`+1202555000${n}`))
      set(step)
      const now = yield* Clock.currentTimeMillis
      assert.deepStrictEqual(health(channel, now), { state: "OPEN", until: now + 10 * second })
      assert.deepStrictEqual(state(channel, "Code", null, now), { _tag: "Resting", until: now + 10 * second })
      const outcome = yield* send(channel, messageTo("+12025550007"))
      assert.deepStrictEqual(outcome, { _tag: "Resting", until: now + 10 * second })
      yield* TestClock.adjust("10 seconds")
      isDown = false
      assert.strictEqual((yield* send(channel, messageTo("+12025550008")))._tag, "Sent")
    })
  )

  testSet("a template fault expires after thirty seconds", (set) =>
    Effect.gen(function* () {
      const { send, state } = yield* Senders
      const channel = channelOf(() =>
        fail(new Refused({ providerCode: "132001", because: "template", template: "NOT_FOUND" }))
      )
      yield* send(channel, messageTo("+12025550001"))
      const tag = Effect.map(Clock.currentTimeMillis, (now) => state(channel, "Code", null, now)._tag)
      assert.strictEqual(yield* tag, "TemplateFault")
      set(step)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* tag, "Working")
    })
  )

  testSet("an open circuit of a number verifier admits a call after ten seconds", (set) =>
    Effect.gen(function* () {
      let asked = 0
      const guard = new VerifierGuard({
        name: "TRUECALLER",
        provider: "acme",
        verify: () =>
          Effect.suspend(() => {
            asked++
            return fail(new Unavailable({ providerCode: "http_503" }))
          })
      } as never)
      const login = { sessionId: "ver_1", merchantId: "mer_1", kept: null }
      const ask = (n: number) => guard.ask("live_1", {} as never, { ...login, phone: `1202555000${n}` })
      for (let n = 0; n < 5; n++) yield* ask(n)
      yield* ask(5)
      assert.strictEqual(asked, 5)
      set(step)
      yield* TestClock.adjust("10 seconds")
      yield* ask(6)
      assert.strictEqual(asked, 6)
    })
  )

  testSet("an outcome that storage could not take is dropped when its lease ends", (set) =>
    Effect.gen(function* () {
      let tries = 0
      const retryLater = yield* RetryLater.make
      const away = Effect.suspend(() => {
        tries++
        return Effect.fail("away" as never)
      })
      yield* retryLater(away, start + 15 * second)
      set(step)
      yield* TestClock.adjust("16 seconds")
      const made = tries
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(tries, made)
    }).pipe(Effect.scoped)
  )

  it("turns of a rate limit are counted in monotonic time, which starts near zero", () => {
    const pace = new Pace(10)
    assert.deepStrictEqual([pace.turn(5), pace.turn(5), pace.turn(305)], [0, 100, 0])
    const bulk = new Bulk(10, 50)
    bulk.begin({ pace: null, places: 100, running: 0 }, 5)
    assert.strictEqual(bulk.wait({ pace: null, places: 100, running: 0 }, 5), 200)
  })
})
