import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Service } from "../../server/test/fixture/Service.ts"
import { type RouteName, routes, to } from "../src/address/paths.ts"
import { menu } from "../src/shell/menu.ts"
import { say } from "../src/words/say.ts"
import { violations } from "./fixture/axe.ts"
import { fillOne, serveMany, type Things } from "./fixture/full.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

/** `pnpm chaos` tests each screen with many rows, and at more widths. */
const rows = Number(process.env["SCREEN_ROWS"] ?? "0")
const widths = rows === 0 ? [320] : [320, 390, 1280, 2560]

/** Screens of the menu, whose heading is the menu's label, and detail screens. */
const lists = menu.flatMap(({ entries }) => entries.map(({ route }) => route))
const details = (Object.keys(routes) as ReadonlyArray<RouteName>).filter(
  (route) => routes[route].includes(":") && route !== "merchant"
)

describe.skipIf("skipped" in browser)("each screen", () => {
  let service: Service
  let visit: Visit
  let things: Things
  beforeAll(async () => {
    const many = rows === 0 ? undefined : await serveMany(rows)
    service = many?.service ?? (await serve())
    // Live is empty. Test has one of each item, or very many.
    const merchant = await service.withOwner()
    things = await (many?.fill ?? fillOne)(merchant.test)
    visit = await Visit.signedIn(service, merchant)
  })
  afterAll(async () => {
    await visit?.end()
    await service?.close()
  })

  /** Faults of the open screen, in both themes and at each width. */
  const faults = async () => {
    const { page } = visit
    const light = await violations(page)
    await page.emulateMedia({ colorScheme: "dark" })
    const dark = await violations(page, rows === 0 ? { rules: ["color-contrast"] } : {})
    await page.emulateMedia({ colorScheme: "light" })
    const wide = []
    for (const width of widths) {
      const found = await visit.sticksOut(width)
      if (found.length > 0) wide.push(`at ${width} px: ${found.join(", ")}`)
    }
    return { light, dark, wide, problems: visit.problems.splice(0) }
  }
  const none = { light: [], dark: [], wide: [], problems: [] }

  it.each(lists.flatMap((route) => [[route, "live", "nothing"] as const, [route, "test", "one or more"] as const]))(
    "%s in the environment %s with %s has the menu's label as heading, passes axe, logs nothing and does not overflow",
    async (route, environment, _) => {
      await visit.go(to(environment, route))
      assert.strictEqual(await visit.heading(), say.menu[route])
      assert.deepStrictEqual(await faults(), none)
    }
  )

  it.each(details)("the detail screen %s passes axe, logs nothing and does not overflow", async (route) => {
    const id = things[route]
    assert.exists(id, `one of ${route} is made in fixture/full.ts`)
    await visit.go(
      to("test", route as "verification", { requestId: String(id), id: String(id) } as { requestId: string })
    )
    assert.isNotEmpty(await visit.heading())
    assert.deepStrictEqual(await faults(), none)
  })

  it("the operator's screen passes axe, logs nothing and does not overflow", async () => {
    await visit.go(to("live", "merchants"))
    assert.strictEqual(await visit.heading(), say.menu.merchants)
    assert.deepStrictEqual(await faults(), none)
    await visit.page.getByLabel("Operator token").fill(service.adminToken)
    await visit.page.keyboard.press("Enter")
    await visit.page.getByRole("main").getByText("Acme").waitFor()
    await visit.settled()
    assert.deepStrictEqual(await faults(), none)
  })
})
