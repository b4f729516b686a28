import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { CampaignStore } from "../../src/index.storage.ts"
import { absentStorage } from "../fixtures/absentStorage.ts"
import { type CampaignWorld, failing, makeCampaigns } from "../fixtures/CampaignWorld.ts"
import { makeStorage, start } from "../fixtures/World.ts"

const people = 150

/** Twilio reports each message once, to any process, and does not retry without a 2xx answer. */
const reportAll = (world: CampaignWorld, id: string, from: number) =>
  Effect.forEach(
    world.heard.slice(from),
    ({ to }) => Effect.ignore(world.receipt(id, Number(to.slice(-5)), "DELIVERED")),
    { discard: true }
  )

const messagesPerPerson = (world: CampaignWorld) =>
  new Set(Array.from(Map.groupBy(world.heard, ({ to }) => to).values(), (all) => all.length))

/** Runs a campaign through an outage of `seconds` seconds, and sends each receipt at the end of its second. */
const throughOutage = (seconds: number, processes: number) =>
  Effect.gen(function* () {
    const { away, storage } = absentStorage(yield* makeStorage)
    const world = yield* makeCampaigns({ storage })
    for (let more = 1; more < processes; more++) yield* world.another()
    const id = yield* world.begin(people)
    let reported = 0
    const pass = Effect.fnUntraced(function* (until: () => boolean) {
      for (let quarters = 0; !until(); quarters++) {
        if (quarters > 2_000) assert.fail("the campaign does not go on")
        yield* TestClock.adjust("250 millis")
        yield* reportAll(world, id, reported)
        reported = world.heard.length
      }
    })
    yield* pass(() => world.heard.length >= 60)
    away.now = true
    const end = start + seconds * 1_000
    yield* TestClock.setTime(start + 4_000)
    for (let at = start + 4_000; at < end; at += 250) yield* pass(once())
    away.now = false
    for (let quarters = 0; quarters < 800; quarters++) yield* pass(once())
    return { world, id }
  })

const once = () => {
  let asked = 0
  return () => asked++ > 0
}

describe("a campaign whose database is away", () => {
  for (const [seconds, processes] of [
    [12, 1],
    [35, 1],
    [90, 1],
    [35, 2],
    [90, 2]
  ] as const) {
    it.effect(`for ${seconds} s sends each person one message, with ${processes} processes`, () =>
      Effect.gen(function* () {
        const { id, world } = yield* throughOutage(seconds, processes)
        assert.strictEqual((yield* world.get(id)).status, "DONE")
        assert.deepStrictEqual([...messagesPerPerson(world)], [1])
        assert.strictEqual(world.heard.length, people)
        const { DELIVERED, SENT } = yield* world.progress(id)
        assert.strictEqual(DELIVERED + SENT, people)
      })
    )
  }

  it.effect("or slow for longer than a step's lease sends each person one message", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const store = Context.get(storage, CampaignStore)
      let isSlow = false
      const slow = Context.add(
        storage,
        CampaignStore,
        CampaignStore.of({
          ...store,
          commit: (change) =>
            isSlow && change.campaign === null ? Effect.delay(store.commit(change), "20 seconds") : store.commit(change)
        })
      )
      const world = yield* makeCampaigns({ storage: slow })
      yield* world.another()
      const id = yield* world.begin(people)
      isSlow = true
      yield* world.pass(1)
      yield* world.receipt(id, 1, "DELIVERED").pipe(Effect.forkChild)
      yield* world.pass(400)
      isSlow = false
      yield* world.pass(300)
      assert.strictEqual((yield* world.get(id)).status, "DONE")
      assert.deepStrictEqual([...messagesPerPerson(world)], [1])
    })
  )

  it.effect(
    "or slow to record a receipt sends no message twice, because the provider may have given up on others",
    () =>
      Effect.gen(function* () {
        const storage = yield* makeStorage
        const store = Context.get(storage, CampaignStore)
        let isSlow = false
        const slow = Context.add(
          storage,
          CampaignStore,
          CampaignStore.of({
            ...store,
            commit: (change) => (isSlow ? Effect.delay(store.commit(change), "6 seconds") : store.commit(change))
          })
        )
        const world = yield* makeCampaigns({ storage: slow })
        world.play.answer = (_message, n) => (n === 2 ? failing.lost : Effect.succeed({ providerId: `sm_${n}` }))
        const id = yield* world.begin(3)
        yield* world.pass(5)
        isSlow = true
        yield* world.receipt(id, 3, "DELIVERED").pipe(Effect.forkChild)
        yield* world.pass(8)
        isSlow = false
        yield* world.pass(90)
        assert.strictEqual(world.heard.length, 3)
        assert.strictEqual((yield* world.get(id)).status, "DONE")
      })
  )
})
