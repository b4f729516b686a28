import { assert, describe, it } from "@effect/vitest"
import { Lanes } from "../../src/foundation/outbox/Lanes.ts"

const takeAll = (lanes: Lanes, name: string): number => {
  let taken = 0
  while (lanes.take(name)) taken++
  return taken
}

/** The width of a lane after these results, one after another. */
const widthAfter = (...outcomes: ReadonlyArray<"well" | "badly" | "undone">) => {
  const lanes = new Lanes()
  for (const outcome of outcomes) {
    assert.isTrue(lanes.take("a"))
    lanes.leave("a", outcome)
  }
  return lanes.room("a")
}

const times = <A>(n: number, one: A): ReadonlyArray<A> => Array.from({ length: n }, () => one)

describe("a job lane", () => {
  it("starts with eight places", () => {
    assert.strictEqual(takeAll(new Lanes(), "a"), 8)
    assert.strictEqual(Lanes.usualRoom, 8)
    assert.strictEqual(new Lanes().room("a"), 8)
  })

  it.each([
    [1, 9],
    [10, 18],
    [56, 64],
    [57, 64],
    [1_000, 64]
  ])("widens by one for every success: after %s it has %s", (successes, width) => {
    assert.strictEqual(widthAfter(...times(successes, "well" as const)), width)
  })

  it.each([
    [1, 4],
    [2, 2],
    [3, 1],
    [4, 1],
    [1_000, 1]
  ])("halves for every failure: after %s it has %s", (failures, width) => {
    assert.strictEqual(widthAfter(...times(failures, "badly" as const)), width)
  })

  it("keeps its width after unfinished work, and never closes", () => {
    assert.strictEqual(widthAfter("undone", "undone"), 8)
    assert.strictEqual(widthAfter(...times(100, "badly" as const), "well", "well", "badly", "well"), 2)
    assert.strictEqual(widthAfter("well", "badly"), 4)
  })

  it("has no room while more jobs run in it than its width", () => {
    const lanes = new Lanes()
    assert.strictEqual(takeAll(lanes, "a"), 8)
    lanes.leave("a", "badly")
    assert.strictEqual(lanes.room("a"), 0)
    assert.isFalse(lanes.take("a"))
    for (let i = 0; i < 3; i++) lanes.leave("a", "undone")
    assert.isFalse(lanes.take("a"))
    lanes.leave("a", "undone")
    assert.isTrue(lanes.take("a"))
  })

  it("appears in a claim while it has work or little room, and not because it was wide once", () => {
    const lanes = new Lanes()
    for (let i = 0; i < 1_000; i++) {
      lanes.take(`wide ${i}`)
      lanes.leave(`wide ${i}`, "well")
    }
    assert.isEmpty(lanes.rooms)
    lanes.take("narrow")
    lanes.leave("narrow", "badly")
    lanes.take("wide 1")
    lanes.take("wide 1")
    assert.sameDeepMembers(
      [...lanes.rooms],
      [
        { lane: "narrow", room: 4 },
        { lane: "wide 1", room: 7 }
      ]
    )
  })

  it("leaves every other lane its room", () => {
    const lanes = new Lanes()
    takeAll(lanes, "a")
    assert.deepStrictEqual([lanes.room("a"), lanes.room("b")], [0, 8])
    assert.strictEqual(takeAll(lanes, "b"), 8)
    lanes.leave("b", "well")
    assert.deepStrictEqual(lanes.rooms, [
      { lane: "a", room: 0 },
      { lane: "b", room: 2 }
    ])
  })

  it("reports once that work may be waiting, each time that it was full", () => {
    const lanes = new Lanes()
    lanes.take("a")
    assert.isFalse(lanes.leave("a", "well"))
    takeAll(lanes, "a")
    assert.isTrue(lanes.leave("a", "well"))
    assert.isFalse(lanes.leave("a", "well"))
  })

  it("counts claimed jobs, and may have more waiting when they filled it", () => {
    const lanes = new Lanes()
    lanes.claimed(times(7, "a"))
    assert.strictEqual(lanes.room("a"), 1)
    assert.isFalse(lanes.leave("a", "undone"))
    lanes.claimed(times(2, "a"))
    assert.strictEqual(lanes.room("a"), 0)
    assert.isTrue(lanes.leave("a", "undone"))
  })

  it("may have more waiting when it gave all that was claimed while other work ended", () => {
    const lanes = new Lanes()
    takeAll(lanes, "a")
    lanes.leave("a", "well")
    const { rooms } = lanes
    assert.deepStrictEqual(rooms, [{ lane: "a", room: 2 }])
    lanes.leave("a", "well")
    assert.isTrue(lanes.claimed(times(2, "a"), rooms))
    assert.isFalse(lanes.claimed(times(1, "a"), rooms))
    assert.isFalse(lanes.claimed(times(8, "b"), rooms))
    assert.isTrue(lanes.leave("b", "well"))
  })

  it("is dropped from memory among very many, unless it has work", () => {
    const lanes = new Lanes()
    lanes.take("busy")
    for (let i = 0; i < 30_000; i++) {
      lanes.take(`lane${i}`)
      lanes.leave(`lane${i}`, "well")
    }
    assert.isAtMost(lanes.rooms.length, 10_001)
    assert.strictEqual(lanes.room("busy"), 7)
  })
})
