import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Attentions } from "../../src/index.ts"
import { counted, noRecords, OutboxStore } from "../../src/index.storage.ts"
import { makeWorld, start } from "../fixtures/World.ts"

const day = 86_400_000
const hour = 3_600_000

describe("attention", () => {
  it.effect("compares the last hours with the same hours of the last four weeks, for each environment alone", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { live, storage } = world
      const outbox = Context.get(storage, OutboxStore)
      const at = start - (start % hour)
      const write = (when: number, asked: number, verified: number, key: string) =>
        outbox.append({
          ...noRecords,
          facts: [
            counted.fact({
              environment: live.environment,
              at: when,
              key,
              value: { country: "IN", path: "SERVER", "asked SMS": asked, "verified SMS": verified }
            })
          ]
        })
      for (const week of [1, 2, 3, 4]) yield* write(at - week * 7 * day - hour, 400, 350, `then ${week}`)
      yield* write(at - hour, 400, 120, "now")
      yield* TestClock.setTime(at + 20 * 60_000)
      const attentions = Context.get(world.services, Attentions)
      const found = yield* attentions.list(live)
      assert.deepStrictEqual(
        found.map((item) => ("share" in item ? [item.code, item.count, item.share, item.usual] : item.code)),
        [["CONVERSION_LOW", 400, 0.3, 0.875]]
      )
      // Another environment of the merchant has its own statistics.
      const inTest = yield* attentions.list(world.test)
      assert.isFalse(inTest.some(({ code }) => code === "CONVERSION_LOW"))
      // The answer about the statistics holds for a minute.
      yield* write(at - hour, 0, 300, "late")
      assert.strictEqual((yield* attentions.list(live)).length, 1)
      yield* TestClock.adjust("61 seconds")
      assert.deepStrictEqual(yield* attentions.list(live), [])
    })
  )
})
