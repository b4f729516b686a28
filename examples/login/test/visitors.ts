import { afterEach, assert } from "vitest"
import { launch } from "../../../tools/chromium.ts"
import { type Visit, type VisitOptions, visit } from "./visit.ts"

/** The visitors of one file of tests. After each test everybody leaves, and nobody's browser may have complained. */
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
    /** Without a browser there is nothing to visit; why, has been said. */
    noBrowser: "skipped" in browser,
    /** Somebody opens the page. */
    visitor: async (url: string, options?: VisitOptions): Promise<Visit> => {
      if ("skipped" in browser) throw new Error(browser.skipped)
      const fresh = await visit(browser, url, options)
      open = [...open, fresh]
      return fresh
    }
  }
}
