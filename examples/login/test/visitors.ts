import { afterAll, afterEach, assert } from "vitest"
import { launch } from "../../../tools/chromium.ts"
import { type Visit, type VisitOptions, visit } from "./visit.ts"

const browser = await launch()

/** Without a browser there is nothing to visit; why, has been said. */
export const noBrowser = "skipped" in browser

let open: ReadonlyArray<Visit> = []

/** Somebody opens the page. After the test everybody leaves, and nobody's browser may have complained. */
export const visitor = async (url: string, options?: VisitOptions): Promise<Visit> => {
  if ("skipped" in browser) throw new Error(browser.skipped)
  const fresh = await visit(browser, url, options)
  open = [...open, fresh]
  return fresh
}

afterEach(async () => {
  const left = open
  open = []
  await Promise.all(left.map(({ context }) => context.close()))
  const problems = left.flatMap((one) => one.problems)
  assert.deepStrictEqual(problems, [])
})

afterAll(async () => {
  if (!("skipped" in browser)) await browser.close()
})
