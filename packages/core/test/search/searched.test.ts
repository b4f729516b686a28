import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Searched, searched, type SearchPage } from "../../src/index.storage.ts"
import type { Verification } from "../../src/index.ts"

/** Verifications are numbers here; the search matches one in a thousand. */
const all = Array.from({ length: 20_000 }, (_, i) => 20_000 - i)
const idOf = (n: number) => String(n).padStart(5, "0")
const page: SearchPage = {
  environment: "env_1",
  filter: {},
  before: "99999",
  since: "",
  now: 0,
  limit: 50,
  most: 5_000
}

const make = (slowness: number) => {
  const asked: Array<number> = []
  const search = ({ before, limit, most }: SearchPage) =>
    Effect.gen(function* () {
      yield* TestClock.adjust(slowness)
      asked.push(most)
      const walked = all.filter((n) => idOf(n) < before).slice(0, most)
      const found = walked.filter((n) => n % 1_000 === 0).slice(0, limit)
      const last = found.length === limit ? found.at(-1) : walked.at(-1)
      const isEnd = found.length < limit && walked.length < most
      const answer: Searched = {
        found: found.map((n) => ({ id: idOf(n) }) as Verification.Verification),
        after: isEnd || last === undefined ? null : idOf(last)
      }
      return answer
    })
  return { asked, search }
}

const idsOf = ({ found }: Searched) => found.map(({ id }) => id)

describe("a search in pages", () => {
  it.effect("scans at most 5,000 rows, 500 per statement, and continues where it stopped", () =>
    Effect.gen(function* () {
      const { asked, search } = make(0)
      const first = yield* searched({ search }, page)
      assert.deepStrictEqual([idsOf(first), first.after], [["20000", "19000", "18000", "17000", "16000"], "15001"])
      assert.deepStrictEqual(
        asked,
        Array.from({ length: 10 }, () => 500)
      )
      let [next, seen]: [Searched, ReadonlyArray<string>] = [first, idsOf(first)]
      while (next.after !== null) {
        next = yield* searched({ search }, { ...page, before: next.after })
        seen = [...seen, ...idsOf(next)]
      }
      assert.lengthOf(seen, 20)
    })
  )

  it.effect("stops when the page is full, and skips nothing after it", () =>
    Effect.gen(function* () {
      const { search } = make(0)
      const first = yield* searched({ search }, { ...page, limit: 2 })
      assert.deepStrictEqual([idsOf(first), first.after], [["20000", "19000"], "19000"])
      const second = yield* searched({ search }, { ...page, limit: 2, before: first.after! })
      assert.deepStrictEqual(idsOf(second), ["18000", "17000"])
    })
  )

  it.effect("returns a partial page when storage is slow, and skips nothing", () =>
    Effect.gen(function* () {
      const { asked, search } = make(20)
      const first = yield* searched({ search }, page)
      assert.lengthOf(asked, 2)
      assert.deepStrictEqual([idsOf(first), first.after], [["20000"], "19001"])
      const second = yield* searched({ search }, { ...page, before: first.after! })
      assert.deepStrictEqual(idsOf(second), ["19000"])
    })
  )
})
