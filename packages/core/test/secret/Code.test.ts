import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Code, Identifier, MasterKey } from "../../src/index.ts"
import { chiSquare, onceInAThousand } from "../fixtures/chiSquare.ts"
import { start } from "../fixtures/World.ts"

const key = new MasterKey(new Uint8Array(32).fill(7))
const other = new MasterKey(new Uint8Array(32).fill(8))
const lengths = [4, 5, 6, 7, 8] as const
const count = 100_000

describe("one-time codes", () => {
  it.prop(
    "have exactly the requested length, are repeatable, and are decimal endings of one number",
    [Schema.String.check(Schema.isPattern(/^[0-9a-z]{26}$/))],
    ([random]) => {
      const id = `ver_${random}`
      const longest = Code.derive(key, id, 8)
      for (const length of lengths) {
        const code = Code.derive(key, id, length)
        assert.match(code, /^[0-9]+$/)
        assert.strictEqual(code, longest.slice(-length))
        assert.strictEqual(Code.derive(new MasterKey(new Uint8Array(32).fill(7)), id, length), code)
      }
    }
  )

  it("depend on the key and on the verification", () => {
    const ids = Array.from({ length: 2000 }, () => Identifier.make("ver", start))
    const same = (one: (id: string) => string, another: (id: string) => string) =>
      ids.filter((id) => one(id) === another(id)).length
    // One pair in 10^8 is equal by chance.
    assert.strictEqual(
      same(
        (id) => Code.derive(key, id, 8),
        (id) => Code.derive(other, id, 8)
      ),
      0
    )
    assert.strictEqual(
      same(
        (id) => Code.derive(key, id, 8),
        (id) => Code.derive(key, `${id}0`, 8)
      ),
      0
    )
  })

  it("are uniform for every length, overall and in every position", () => {
    const wide = new Uint32Array(count)
    for (let i = 0; i < count; i++) wide[i] = Number(Code.derive(key, `ver_${i}`, 8))
    for (const length of lengths) {
      const size = 10 ** length
      const buckets = Math.min(size, 10_000)
      const overall = new Uint32Array(buckets)
      const positions = Array.from({ length }, () => new Uint32Array(10))
      let leadingZeros = 0
      for (let i = 0; i < count; i++) {
        const code = wide[i]! % size // A shorter code is the decimal ending of the longest one: see above.
        overall[Math.floor((code * buckets) / size)]!++
        if (code < size / 10) leadingZeros++
        for (let at = 0, rest = code; at < length; at++, rest = Math.floor(rest / 10)) positions[at]![rest % 10]!++
      }
      assert.isBelow(chiSquare(overall), onceInAThousand(buckets), `${length} digits`)
      for (const position of positions) assert.isBelow(chiSquare(position), onceInAThousand(10), `${length} digits`)
      assert.isBelow(Math.abs(leadingZeros / count - 0.1), 0.002)
    }
  })

  it("keep their leading zeros", () => {
    const codes = Array.from({ length: 1000 }, (_, i) => Code.derive(key, `ver_${i}`, 4))
    assert.isAbove(codes.filter((code) => code.startsWith("0")).length, 50)
    assert.isTrue(codes.every((code) => code.length === 4))
  })

  it("of a test environment are the digits in order", () => {
    assert.deepStrictEqual(lengths.map(Code.inTest), ["1234", "12345", "123456", "1234567", "12345678"])
  })
})
