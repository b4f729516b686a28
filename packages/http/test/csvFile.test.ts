import { Effect, Stream } from "effect"
import { assert, describe, it } from "vitest"
import { csvFile, cutLine, pagesOf } from "../src/csv/csvFile.ts"

const columns = { n: (n: number) => n, text: (n: number) => `=${n}` }

/** A list of numbers, in pages of `size`, and how many pages were read. */
const listOf = (total: number, size: number) => {
  const seen = { pages: 0 }
  const load = (from = 0) =>
    Effect.sync(() => {
      seen.pages++
      const items = Array.from({ length: Math.min(size, total - from) }, (_, n) => from + n)
      return { items, nextCursor: from + size < total ? from + size : null }
    })
  return { seen, pages: pagesOf(load) }
}

const textOf = ({ body }: ReturnType<typeof csvFile>) => Effect.runPromise(Stream.mkString(Stream.decodeText(body)))

describe("a list exported as CSV", () => {
  it("has a header and every row, with formulas defused", async () => {
    const { pages } = listOf(5, 2)
    assert.strictEqual(
      await textOf(csvFile("numbers", columns, pages)),
      "n,text\r\n0,'=0\r\n1,'=1\r\n2,'=2\r\n3,'=3\r\n4,'=4\r\n"
    )
    assert.strictEqual(await textOf(csvFile("none", columns, listOf(0, 2).pages)), "n,text\r\n")
  })

  it("ends at the limit with a line that says so, and reads no further page", async () => {
    const { pages, seen } = listOf(100, 2)
    const text = await textOf(csvFile("numbers", columns, pages, 3))
    assert.strictEqual(text, `n,text\r\n0,'=0\r\n1,'=1\r\n2,'=2\r\n${cutLine(3)}`)
    assert.strictEqual(seen.pages, 2)
    for (const exactly of [2, 4])
      assert.notInclude(await textOf(csvFile("numbers", columns, listOf(exactly, 2).pages, exactly)), "#")
    assert.include(await textOf(csvFile("numbers", columns, listOf(5, 2).pages, 4)), cutLine(4))
  })

  it("reads a page only when the reader took the one before", async () => {
    const { pages, seen } = listOf(1_000_000, 1_000)
    const reader = Stream.toReadableStream(csvFile("numbers", columns, pages).body).getReader()
    await reader.read()
    await reader.read()
    await new Promise((resolve) => setImmediate(resolve))
    assert.isAtMost(seen.pages, 3)
    await reader.cancel()
  })
})
