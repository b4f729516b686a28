import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Identifier } from "../../src/index.ts"
import { start } from "../fixtures/World.ts"

const prefixes = ["ver", "evt", "whk", "dlv", "dvc", "tpl", "cmp", "lch", "cnv", "mer", "tok"] as const

describe("identifiers", () => {
  it.each(prefixes)("of %s have one format, and their prefix tells their type", (prefix) => {
    const id = Identifier.make(prefix, start)
    assert.match(id, new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`))
    assert.deepStrictEqual(
      prefixes.filter((other) => Identifier.is(other, id)),
      [prefix]
    )
  })

  it.each([
    ["nothing", ""],
    ["too short", `ver_${"0".repeat(25)}`],
    ["too long", `ver_${"0".repeat(27)}`],
    ["upper case", `ver_${"A".repeat(26)}`],
    ["a letter that is not in the alphabet", `ver_${"u".repeat(26)}`],
    ["a line break", `ver_${"0".repeat(25)}\n`],
    ["a wide character", `ver_${"0".repeat(25)}０`],
    ["SQL", `ver_${"0".repeat(21)}' --`]
  ])("are not confused: %s", (_what, text) => {
    assert.isFalse(Identifier.is("ver", text))
  })

  const instant = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 48 }))

  it.prop("sort by time", [instant, instant], ([one, other]) => {
    const [earlier, later] = one < other ? [one, other] : [other, one]
    if (earlier === later) assert.strictEqual(Identifier.timeText(earlier), Identifier.timeText(later))
    else assert.isTrue(Identifier.make("ver", earlier) < Identifier.make("ver", later))
  })

  it("from before 1970 come first, so that no real id is older", () => {
    assert.isTrue(Identifier.first("ver", -1) <= Identifier.make("ver", 0))
    assert.strictEqual(Identifier.first("ver", -30 * 86_400_000), Identifier.first("ver", 0))
  })

  it("never repeat: 100,000 from one millisecond differ", () => {
    const seen = new Set<string>()
    for (let i = 0; i < 100_000; i++) seen.add(Identifier.make("ver", start))
    assert.strictEqual(seen.size, 100_000)
  })

  it("are uniform in every random position", () => {
    const perPosition = Array.from({ length: 16 }, () => new Map<string, number>())
    const count = 64_000
    for (let i = 0; i < count; i++) {
      const text = Identifier.randomText(16)
      for (let at = 0; at < 16; at++) perPosition[at]!.set(text[at]!, (perPosition[at]!.get(text[at]!) ?? 0) + 1)
    }
    for (const counts of perPosition) {
      assert.strictEqual(counts.size, 32)
      // Expected 2,000 each, standard deviation 44. A deviation of eight happens about once in 10^12 runs.
      for (const seen of counts.values()) assert.isBelow(Math.abs(seen - count / 32), 8 * 44)
    }
  })

  it("accept any length that fits, and refuse more", () => {
    assert.deepStrictEqual(
      [0, 1, 24, 40, 4096].map((length) => Identifier.randomText(length).length),
      [0, 1, 24, 40, 4096]
    )
    assert.throws(() => Identifier.randomText(4097), RangeError)
  })
})
