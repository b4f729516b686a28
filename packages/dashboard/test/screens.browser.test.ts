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

/** The contrast ratio of two opaque colours such as `rgb(0, 0, 0)`. */
const contrast = (one: string, other: string): number => {
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((text) => {
      const share = Number(text) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

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

  it("in test, each screen says so in a band and in the title, also in dark and in forced colours", async () => {
    const { page } = visit
    const band = page.getByRole("complementary", { name: say.environment.label })
    for (const route of lists) {
      await visit.go(to("live", route))
      assert.strictEqual(await page.title(), `${say.menu[route]} · Countersign`)
      assert.strictEqual(await band.count(), 0, route)
      await visit.go(to("test", route))
      assert.strictEqual(await page.title(), `Test · ${say.menu[route]} · Countersign`)
      assert.isTrue(await band.isVisible(), route)
    }
    const look = () =>
      band.evaluate((element) => {
        const { backgroundColor, borderBlockEndColor, borderBlockEndWidth, color } = getComputedStyle(element)
        const { bottom, top } = element.getBoundingClientRect()
        return { backgroundColor, borderBlockEndColor, borderBlockEndWidth, color, isOnTop: top === 0 && bottom > 0 }
      })
    for (const media of [
      { colorScheme: "light" },
      { colorScheme: "dark" },
      { colorScheme: "light", forcedColors: "active" },
      { colorScheme: "dark", forcedColors: "active" }
    ] as const) {
      await page.emulateMedia({ forcedColors: "none", ...media })
      const { backgroundColor, borderBlockEndColor, borderBlockEndWidth, color, isOnTop } = await look()
      const what = JSON.stringify(media)
      assert.isTrue(isOnTop, what)
      assert.notStrictEqual(borderBlockEndWidth, "0px", what)
      // The edge keeps the band apart from the page where the colours are the system's.
      if ("forcedColors" in media) assert.notStrictEqual(borderBlockEndColor, backgroundColor, what)
      assert.isAtLeast(contrast(color, backgroundColor), 7, what)
    }
    await page.emulateMedia({ colorScheme: "light", forcedColors: "none" })
  })

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
