import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Agenda } from "../../src/data/example/Agenda.ts"

const noon = Date.parse("2026-01-31T12:00:00Z")
const hour = 3_600_000

const make = Effect.gen(function* () {
  yield* TestClock.setTime(noon)
  const agenda = new Agenda(yield* Clock.Clock, noon - 24 * hour)
  const seen: Array<string> = []
  const see = (what: string) =>
    Effect.map(Clock.currentTimeMillis, (now) => void seen.push(`${what} ${(now - noon) / hour}`))
  return { agenda, see, seen }
})

describe("the agenda of the example day", () => {
  it.effect("runs its entries in order of time, with those added on the way, and reports that time", () =>
    Effect.gen(function* () {
      const { agenda, see, seen } = yield* make
      agenda.add(noon - 2 * hour, see("late"))
      agenda.add(
        noon - 5 * hour,
        Effect.andThen(
          see("early"),
          Effect.sync(() => agenda.add(noon - 3 * hour, see("added")))
        )
      )
      agenda.add(noon - 5 * hour, see("second"))
      // An entry in the past runs now: the time never goes back.
      agenda.add(
        noon - 2 * hour,
        Effect.sync(() => agenda.add(noon - 9 * hour, see("overdue")))
      )
      yield* agenda.play
      assert.deepStrictEqual(seen, ["early -5", "second -5", "added -3", "late -2", "overdue -2"])
      assert.strictEqual(yield* Clock.currentTimeMillis, noon)
    })
  )

  it.effect("never passes the real time: later entries are dropped", () =>
    Effect.gen(function* () {
      const { agenda, see, seen } = yield* make
      agenda.add(noon, see("now"))
      agenda.add(noon + 1, see("tomorrow"), see("given up"))
      agenda.add(
        noon - hour,
        Effect.sync(() => agenda.pass(9 * hour))
      )
      yield* agenda.play
      assert.deepStrictEqual(seen, ["now 0", "given up 0"])
    })
  )

  it.effect("drops the remaining entries when it fails or is interrupted", () =>
    Effect.gen(function* () {
      const { agenda, see, seen } = yield* make
      agenda.add(noon - 2 * hour, Effect.fail("broken"))
      agenda.add(noon - hour, see("after it"), see("given up"))
      yield* Effect.flip(agenda.play)
      assert.deepStrictEqual(seen, ["given up 0"])
      agenda.add(noon - hour, Effect.never)
      agenda.add(noon - hour, see("after it"), see("handed over"))
      const fiber = yield* Effect.forkChild(agenda.play)
      yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(seen, ["given up 0", "handed over 0"])
    })
  )
})
