import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { AgingMap } from "../../src/foundation/time/AgingMap.ts"

const step = Arbitrary.schema(
  Schema.Struct({
    key: Schema.Literals(["a", "b", "c", "d", "e"]),
    does: Schema.Literals(["set", "set", "set", "replace", "delete", "drop the oldest"])
  })
)

describe("a map that knows its oldest entry", () => {
  it.prop(
    "keeps the order in which keys were last set, like a Map whose keys are deleted before they are set",
    [Arbitrary.array(step, { maxLength: 60 })],
    ([steps]) => {
      const aging = new AgingMap<number>()
      const model = new Map<string, number>()
      for (const [n, { does, key }] of steps.entries()) {
        if (does === "set") {
          aging.set(key, n)
          model.delete(key)
          model.set(key, n)
        } else if (does === "replace") {
          aging.replace(key, n)
          if (model.has(key)) model.set(key, n)
        } else if (does === "delete") assert.strictEqual(aging.delete(key), model.delete(key))
        else if (aging.oldest !== null) {
          model.delete(aging.oldest.key)
          aging.delete(aging.oldest.key)
        }
        const [first] = model
        const { oldest } = aging
        assert.deepStrictEqual(oldest === null ? undefined : [oldest.key, oldest.value], first)
        assert.strictEqual(aging.size, model.size)
        assert.strictEqual(aging.get(key), model.get(key))
        assert.strictEqual(aging.has(key), model.has(key))
      }
      const left: Array<readonly [string, number]> = []
      for (let { oldest } = aging; oldest !== null; oldest = aging.oldest) {
        left.push([oldest.key, oldest.value])
        aging.delete(oldest.key)
      }
      assert.deepStrictEqual(left, [...model])
    }
  )
})
