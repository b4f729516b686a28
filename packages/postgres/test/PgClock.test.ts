import { assert, it } from "@effect/vitest"
import { DatabaseTime } from "../src/PgClock.ts"

const minutes = 60_000

/** A steady clock that shows the time set by the test. */
const at = (start: number, first: { offset: number; error: number }) => {
  const steady = { now: start }
  return { steady, time: new DatabaseTime(first, () => steady.now) }
}

it("time continues from the last comparison", () => {
  const { steady, time } = at(1_000, { offset: 500_000, error: 1 })
  assert.strictEqual(time.now(), 501_000)
  steady.now += 10 * minutes
  assert.strictEqual(time.now(), 501_000 + 10 * minutes)
})

it("a comparison within its own error changes nothing", () => {
  const { time } = at(0, { offset: 1_000, error: 1 })
  time.correct({ offset: 1_020, error: 40 })
  assert.strictEqual(time.now(), 1_000)
})

it("time jumps forward immediately, and stands still instead of running back a little", () => {
  const { steady, time } = at(0, { offset: 10_000, error: 1 })
  time.correct({ offset: 10_200, error: 1 })
  assert.strictEqual(time.now(), 10_200)
  time.correct({ offset: 10_000, error: 1 })
  assert.strictEqual(time.now(), 10_200)
  steady.now = 150
  assert.strictEqual(time.now(), 10_200)
  steady.now = 201
  assert.strictEqual(time.now(), 10_201)
})

it("time follows when the database's clock is set back a lot", () => {
  const { time } = at(0, { offset: 100 * minutes, error: 1 })
  assert.strictEqual(time.now(), 100 * minutes)
  time.correct({ offset: 95 * minutes, error: 1 })
  assert.strictEqual(time.now(), 95 * minutes)
})

it("an implausible comparison is ignored", () => {
  const { time } = at(0, { offset: 5, error: 0 })
  time.correct({ offset: Number.NaN, error: 0 })
  assert.strictEqual(time.now(), 5)
})
