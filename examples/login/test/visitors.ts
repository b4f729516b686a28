import { afterEach, assert } from "vitest"
import { launch } from "../../../tools/chromium.ts"
import { type Visit, type VisitOptions, visit } from "./visit.ts"

/** The browsers of one test file. After each test all of them close, and none may have problems. */
export const visitors = async () => {
  const browser = await launch()
  let open: ReadonlyArray<Visit> = []

  afterEach(async () => {
    const left = open
    open = []
    await Promise.all(left.map(({ context }) => context.close()))
    const problems = left.flatMap((one) => one.problems)
    assert.deepStrictEqual(problems, [])
  })

  return {
    /** Without a browser the tests are skipped; the reason was printed before. */
    noBrowser: "skipped" in browser,
    /** Opens the page as a new visitor. */
    visitor: async (url: string, options?: VisitOptions): Promise<Visit> => {
      if ("skipped" in browser) throw new Error(browser.skipped)
      const fresh = await visit(browser, url, options)
      open = [...open, fresh]
      return fresh
    }
  }
}
