import { assert, it } from "@effect/vitest"
import { Numbers } from "../src/Numbers.ts"

const minute = 60_000
const three = () => new Numbers(["a", "b", "c"])
const take = (numbers: Numbers, times: number, now: number) =>
  Array.from({ length: times }, () => numbers.choose(now)).join("")

it("healthy numbers are used in turn", () => {
  assert.strictEqual(take(three(), 7, 0), "abcabca")
})

it("a number used by request counts in the rotation", () => {
  const numbers = three()
  numbers.use("a")
  assert.strictEqual(take(numbers, 3, 0), "bca")
})

it("each problem has its own rest period", () => {
  const troubles = [
    ["rate", 1_000],
    ["spam", 5 * minute],
    ["down", 10 * minute],
    ["token", 10 * minute]
  ] as const
  for (const [lesson, millis] of troubles) {
    const numbers = three()
    numbers.learn("b", lesson, 0)
    assert.notInclude(take(numbers, 5, millis - 1), "b", lesson)
    assert.include(take(numbers, 5, millis), "b", lesson)
  }
})

it("a rest period grows with each repeated failure up to a limit, and resets after a success", () => {
  const numbers = three()
  const restAt = (now: number) => {
    numbers.learn("a", "spam", now)
    return numbers.restsForSeconds("a", now) / 60
  }
  let now = 0
  const lengths = [0, 1, 2, 3, 4].map(() => {
    const length = restAt(now)
    now += length * minute
    return length
  })
  assert.deepStrictEqual(lengths, [5, 10, 20, 40, 60])
  numbers.learn("a", "fine", now)
  assert.strictEqual(restAt(now), 5)
})

it("failures of sends already in progress do not extend a rest period", () => {
  const numbers = three()
  for (let n = 0; n < 100; n++) numbers.learn("a", "rate", n)
  assert.strictEqual(numbers.restsForSeconds("a", 0), 1)
})

it("a small problem does not shorten the rest period of a severe one", () => {
  const numbers = three()
  numbers.learn("a", "spam", 0)
  numbers.learn("a", "rate", 1)
  numbers.learn("a", "fine", 2)
  assert.strictEqual(numbers.restsForSeconds("a", 0), 300)
})

it("three failures in a row make a number rest, two and a success do not", () => {
  const numbers = three()
  for (const lesson of ["stumbled", "stumbled", "fine", "stumbled", "stumbled"] as const) numbers.learn("a", lesson, 0)
  assert.isTrue(numbers.isHealthy("a", 0))
  numbers.learn("a", "stumbled", 0)
  assert.isFalse(numbers.isHealthy("a", 0))
  assert.isTrue(numbers.isHealthy("a", 5_000))
})

it("a late success does not reactivate a number stopped by user complaints", () => {
  const numbers = three()
  numbers.learn("a", "spam", 0)
  numbers.learn("a", "fine", 1)
  assert.isFalse(numbers.isHealthy("a", 2))
  numbers.learn("b", "rate", 0)
  numbers.learn("b", "fine", 1)
  assert.isTrue(numbers.isHealthy("b", 2))
})

it("the least impaired number is used if none is healthy", () => {
  const numbers = three()
  numbers.checked("a", "blocked")
  numbers.learn("b", "spam", 0)
  numbers.checked("c", "poor")
  assert.strictEqual(take(numbers, 3, 0), "ccc")
  numbers.learn("c", "down", 0)
  assert.strictEqual(take(numbers, 3, 0), "bbb", "the rest that ends first")
  const only = new Numbers(["a"])
  only.checked("a", "blocked")
  assert.strictEqual(only.choose(0), "a")
})

it("a successful check reactivates a broken number, but not a resting one", () => {
  const numbers = three()
  numbers.learn("a", "down", 0)
  numbers.learn("b", "spam", 0)
  numbers.checked("a", "good")
  numbers.checked("b", "good")
  assert.isTrue(numbers.isHealthy("a", 1))
  assert.isFalse(numbers.isHealthy("b", 1))
  numbers.learn("c", "down", 0)
  numbers.checked("c", "blocked")
  assert.isFalse(numbers.isHealthy("c", 11 * minute), "a blocked number stays out until it is checked again")
})

it("a fallback is another healthy number", () => {
  const numbers = new Numbers(["a", "b"])
  assert.isTrue(numbers.elsewhere("a", 0))
  numbers.learn("b", "spam", 0)
  assert.isFalse(numbers.elsewhere("a", 0))
  assert.isTrue(numbers.elsewhere("b", 0))
})

it("an unknown number changes nothing", () => {
  const numbers = three()
  numbers.learn("z", "spam", 0)
  numbers.checked("z", "good")
  numbers.use("z")
  assert.isFalse(numbers.has("z"))
  assert.strictEqual(numbers.restsForSeconds("z", 0), 0)
  assert.deepStrictEqual(numbers.ids, ["a", "b", "c"])
})

it("the ten thousand most recently used numbers of merchants are remembered", () => {
  const numbers = new Numbers([])
  numbers.meet("first")
  numbers.learn("first", "spam", 0)
  numbers.meet("second")
  numbers.learn("second", "spam", 0)
  for (let n = 0; n < 9_998; n++) numbers.meet(String(n))
  numbers.meet("first")
  numbers.meet("one more")
  assert.isTrue(numbers.has("first"))
  assert.isFalse(numbers.has("second"))
  assert.strictEqual(numbers.restsForSeconds("first", 0), 300, "what was learned of it is kept when it is met again")
  assert.lengthOf(numbers.ids, 10_000)
})
