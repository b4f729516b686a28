import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Scope } from "effect"
import { TestClock } from "effect/testing"
import type { Verification } from "../../src/index.ts"
import {
  EventStore,
  JobStore,
  OutboxStore,
  type Storage,
  VerificationStore,
  WebhookStore
} from "../../src/index.storage.ts"
import { down, makeReceiver, ok } from "../fixtures/Receiver.ts"
import { counted, pass, registered } from "../fixtures/Teller.ts"
import { makeProcess, makeStorage, makeWorld, otp, start, type World, withSettings, wrong } from "../fixtures/World.ts"
import { minute, second } from "../fixtures/webhooks.ts"

/** The number of crashes; `CRASHES=1000` for a long run. */
const crashes = Number(process.env["CRASHES"] ?? "20")

const url = "https://shop.example/hooks"

/** A repeatable random source. */
const chanceOf = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * A process's storage, which stops after `writes` writes: before the next takes effect, or after it with the answer
 * lost. From then on the process's calls have no effect and get no answer, as after a kill.
 */
const cutAfter = (storage: Context.Context<Storage>, writes: number, afterwards: boolean) => {
  let left = writes
  const dead = () => left < 0
  const read =
    <A extends ReadonlyArray<unknown>, B, E>(call: (...given: A) => Effect.Effect<B, E>) =>
    (...given: A): Effect.Effect<B, E> =>
      Effect.suspend(() => (dead() ? Effect.never : call(...given)))
  const write =
    <A extends ReadonlyArray<unknown>, B, E>(call: (...given: A) => Effect.Effect<B, E>) =>
    (...given: A): Effect.Effect<B, E> =>
      Effect.suspend(() => {
        if (left-- > 0) return call(...given)
        return left === -1 && afterwards ? Effect.andThen(call(...given), Effect.never) : Effect.never
      })
  const verifications = Context.get(storage, VerificationStore)
  const jobs = Context.get(storage, JobStore)
  const webhooks = Context.get(storage, WebhookStore)
  const events = Context.get(storage, EventStore)
  const outbox = Context.get(storage, OutboxStore)
  return {
    dead,
    cut: () => void (left = -1),
    storage: storage.pipe(
      Context.add(VerificationStore, {
        ...verifications,
        load: read(verifications.load),
        subject: read(verifications.subject),
        expired: read(verifications.expired),
        commit: write(verifications.commit)
      }),
      Context.add(JobStore, {
        ...jobs,
        // A claim is not counted as a write: otherwise most processes would stop in an idle poll.
        claim: read(jobs.claim),
        claimGates: read(jobs.claimGates),
        complete: write(jobs.complete),
        retry: read(jobs.retry),
        bury: write(jobs.bury),
        hasten: write(jobs.hasten)
      }),
      Context.add(WebhookStore, { ...webhooks, commit: write(webhooks.commit), record: write(webhooks.record) }),
      Context.add(EventStore, { ...events, get: read(events.get) }),
      Context.add(OutboxStore, { append: write(outbox.append) })
    )
  }
}

/** The events that a verification in this state must have. */
const expected = (verification: Verification.Verification): ReadonlyArray<string> => {
  const { expiryAnnounced, id, status } = verification
  const of = (type: string) => `${type} ${id}`
  return [
    of("otp.initiated"),
    ...(status === "VERIFIED" ? [of("otp.verified")] : []),
    ...(expiryAnnounced || status === "EXPIRED" ? [of("otp.expired")] : [])
  ]
}

const crash = Effect.fnUntraced(function* (seed: number) {
  const chance = chanceOf(seed)
  yield* TestClock.setTime(start)
  yield* counted
  const storage = yield* makeStorage
  const refusedOnce = new Set<string>()
  // The first delivery of some events fails.
  const receiver = makeReceiver(({ event }, nth) => {
    if (nth % 5 !== 3 || refusedOnce.has(event.id)) return ok
    refusedOnce.add(event.id)
    return down
  })
  const world = yield* makeWorld({ storage, webhooks: receiver.layer })
  yield* registered(world, world.live, url)
  yield* pass(15 * second)

  const link = cutAfter(storage, Math.floor(chance() * 40), chance() < 0.5)
  const scope = yield* Scope.make()
  const victim = yield* Scope.provide(makeProcess(link.storage, { webhooks: receiver.layer }), scope)
  const caller = withSettings(world.live, { codeExpirySeconds: 30 })
  const login = (process: Pick<World, "verifications" | "sdk">, i: number) =>
    Effect.gen(function* () {
      const made = yield* process.verifications.initiate(caller, otp(`person${i}@mail.example`))
      const code = world.codeOf(made.verification)
      if (i % 3 === 1) yield* process.verifications.verify(caller, { requestId: made.verification.id, otp: code })
      if (i % 3 === 2)
        yield* process.verifications.verify(caller, { requestId: made.verification.id, otp: wrong(code) })
      if (i % 4 === 0) yield* process.sdk.create(caller, {})
    })
  yield* Effect.forkChild(
    Effect.forEach([0, 1, 2, 3, 4, 5], (i) => login(victim, i), { concurrency: 3 }),
    {
      startImmediately: true
    }
  )
  yield* pass(2 * second, 200)
  yield* login(world, 7)
  // Processes that are still running stop here.
  link.cut()
  yield* pass(90 * second, 5 * second)
  yield* Effect.forkChild(Scope.close(scope, Exit.void))
  yield* pass(10 * minute, 15 * second)

  const all = yield* world.events(world.live)
  const ids = new Set(all.map(({ id }) => id))
  const told = receiver.requests.map(({ event }) => event)
  for (const event of told) assert.isTrue(ids.has(event.id), `told of ${event.type}, which is not in the list`)
  const log = yield* world.webhooks.deliveries(world.live, (yield* world.webhooks.list(world.live))[0]!.id, {
    status: "DELIVERED",
    after: null,
    limit: 1_000
  })
  assert.deepStrictEqual([...new Set(log.map(({ eventId }) => eventId))].toSorted(), [...ids].toSorted())
  assert.deepStrictEqual([...new Set(told.map(({ id }) => id))].toSorted(), [...ids].toSorted())

  // Each state has exactly its events.
  const recorded = all.flatMap(({ data, type }) => ("requestId" in data ? [`${type} ${data.requestId}`] : []))
  const store = Context.get(storage, VerificationStore)
  const known = new Set(all.flatMap(({ data }) => ("requestId" in data ? [data.requestId] : [])))
  const states = yield* Effect.forEach([...known], (id) => store.find(world.live.environment, id))
  assert.deepStrictEqual(
    recorded.toSorted(),
    states.flatMap((state) => (state === null ? ["nothing"] : expected(state))).toSorted()
  )
  const people = yield* Effect.forEach([0, 1, 2, 3, 4, 5], (i) =>
    store.subject(world.live.environment, `person${i}@mail.example`)
  )
  for (const { live } of people) for (const { id } of live) assert.isTrue(known.has(id))
  return { events: all.length, requests: told.length }
})

describe("a process that is killed anywhere between an event and its delivery", () => {
  it.effect(
    `loses no webhook and sends none without its event, ${crashes} times`,
    () =>
      Effect.gen(function* () {
        const sizes = new Set<number>()
        let repeated = 0
        for (let seed = 1; seed <= crashes; seed++) {
          const { events, requests } = yield* Effect.scoped(crash(seed)).pipe(
            Effect.tapCause(() => Effect.logError(`seed ${seed}`))
          )
          sizes.add(events)
          if (requests > events) repeated++
        }
        // Crashes happened early and late, and some right after a receiver got the request.
        assert.isAbove(sizes.size, 5)
        assert.isAbove(repeated, 0)
      }),
    180_000 + 2_000 * crashes
  )
})
