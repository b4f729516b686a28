import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Window from "../../src/foundation/limit/Window.ts"

const minute = 60_000
const hour = 60 * minute
/** The start of a minute. */
const noon = Date.UTC(2030, 0, 7, 12)
const none = Window.empty("env", "key")

const taken = (window: Window.Window, limit: number, now: number) => {
  const outcome = Window.take(window, limit, now)
  if (outcome._tag === "Full") throw new Error(`full at ${now}`)
  return outcome
}

/** Takes places one after the other. */
const takeAll = (instants: ReadonlyArray<number>, limit: number, window = none) =>
  instants.reduce((next, now) => taken(next, limit, now).next, window)

const full = (window: Window.Window, limit: number, now: number) => {
  const outcome = Window.take(window, limit, now)
  assert.strictEqual(outcome._tag, "Full")
  return outcome._tag === "Full" ? outcome.retryAt : 0
}

describe("a sliding window", () => {
  it("counts in minutes", () => {
    const window = takeAll([noon, noon + 1, noon + minute - 1, noon + minute], 10)
    assert.deepStrictEqual(window, {
      ...none,
      buckets: [
        [noon / minute, 3],
        [noon / minute + 1, 1]
      ]
    })
  })

  it("is full at its limit, and reports when it has room again", () => {
    const window = takeAll([noon, noon + 1, noon + 2 * minute], 3)
    assert.strictEqual(full(window, 3, noon + 3 * minute), noon + 61 * minute)
    assert.strictEqual(full(window, 2, noon + 3 * minute), noon + 61 * minute)
    // One of three places is free only when the last of them has expired.
    assert.strictEqual(full(window, 1, noon + 3 * minute), noon + 63 * minute)
  })

  it("frees a place when its whole minute is an hour ago, and not a millisecond before", () => {
    const window = takeAll([noon + minute - 1], 1)
    const retryAt = full(window, 1, noon + hour)
    assert.strictEqual(retryAt, noon + hour + minute)
    full(window, 1, retryAt - 1)
    taken(window, 1, retryAt)
  })

  it("with a limit of zero is always full", () => {
    assert.strictEqual(full(none, 0, noon), noon + hour)
    assert.strictEqual(full(none, 0, noon + 1), noon + hour)
  })

  it("drops expired places, so it holds at most 61 minutes", () => {
    const window = takeAll(
      Array.from({ length: 500 }, (_, i) => noon + i * minute),
      100_000
    )
    assert.strictEqual(window.buckets.length, 61)
    const many = Array.from({ length: 61 }, (_, i): Window.Bucket => [noon / minute + i, 100_000])
    assert.isBelow(Window.encode({ ...none, buckets: many }).length, 1_100)
  })

  it("releases a place in the minute in which it was taken", () => {
    const { next, takenAt } = taken(takeAll([noon], 2), 2, noon + 5 * minute)
    assert.deepStrictEqual(Window.giveBack(next, takenAt).buckets, [[noon / minute, 1]])
    const two = takeAll([noon + 5 * minute], 3, next)
    assert.deepStrictEqual(Window.giveBack(two, takenAt).buckets, [
      [noon / minute, 1],
      [noon / minute + 5, 1]
    ])
    // Releasing an expired or a released place changes nothing.
    assert.strictEqual(Window.giveBack(two, noon - minute), two)
    const empty = Window.giveBack(takeAll([noon], 1), noon)
    assert.strictEqual(Window.giveBack(empty, noon), empty)
    taken(empty, 1, noon)
  })

  it("is exact when clocks differ: an older time counts as the newest", () => {
    const ahead = takeAll([noon + 5 * minute], 2)
    const { next, takenAt } = taken(ahead, 2, noon)
    assert.deepStrictEqual(next.buckets, [[noon / minute + 5, 2]])
    assert.strictEqual(full(next, 2, noon + hour + 3 * minute), noon + 66 * minute)
    assert.deepStrictEqual(Window.giveBack(next, takenAt).buckets, ahead.buckets)
  })

  it("recovers from a clock that was days ahead", () => {
    const wild = takeAll([noon + 48 * hour], 1)
    assert.deepStrictEqual(taken(wild, 1, noon).next.buckets, [[noon / minute, 1]])
  })

  it("decodes to itself from its stored text", () => {
    const window = { ...takeAll([noon, noon + minute, noon + minute], 9), version: 7 }
    assert.deepStrictEqual(Window.decode("env", "key", 7, Window.encode(window)), window)
  })

  const steps = Schema.Array(Schema.Struct({ wait: Schema.Int, back: Schema.Boolean }))
  const limits = Schema.Literals([1, 2, 3, 7])

  it.prop(
    "never exceeds its limit within any 60 minutes, and refuses only what 61 minutes would refuse",
    [steps, limits],
    ([list, limit]) => {
      let window: Window.Window = none
      let now = noon
      /** Every place that was taken and not released. */
      let reference: Array<{ readonly at: number; readonly takenAt: number }> = []
      for (const { back, wait } of list.slice(0, 200)) {
        now += Math.abs(wait) % (25 * minute)
        const last = reference.at(-1)
        if (back && last !== undefined) {
          window = Window.giveBack(window, last.takenAt)
          reference = reference.slice(0, -1)
          continue
        }
        const outcome = Window.take(window, limit, now)
        const within = (span: number) => reference.filter(({ at }) => now - at <= span).length
        if (outcome._tag === "Taken") {
          assert.isBelow(within(hour), limit)
          reference.push({ at: now, takenAt: outcome.takenAt })
          window = outcome.next
        } else {
          assert.isAtLeast(within(hour + minute), limit)
          assert.strictEqual(Window.take(window, limit, outcome.retryAt)._tag, "Taken")
          assert.strictEqual(Window.take(window, limit, outcome.retryAt - 1)._tag, "Full")
        }
        assert.isAtMost(window.buckets.length, 61)
      }
    },
    { arbitrary: { runs: 1000 } }
  )

  it.prop(
    "never exceeds its limit within 60 minutes of the newest clock, for any clock",
    [Schema.Array(Schema.Int), limits],
    ([list, limit]) => {
      let window: Window.Window = none
      let right = noon
      const at: Array<number> = []
      for (const wild of list.slice(0, 200)) {
        right += Math.abs(wild) % (10 * minute)
        const outcome = Window.take(window, limit, right + (wild % (5 * minute)))
        if (outcome._tag === "Full") continue
        window = outcome.next
        at.push(outcome.takenAt)
        // Counted by the newest clock so far.
        assert.isAtMost(at.filter((one) => outcome.takenAt - one <= hour).length, limit)
      }
    },
    { arbitrary: { runs: 1000 } }
  )
})
