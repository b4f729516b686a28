import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Merchant, Service } from "../../server/test/fixture/Service.ts"
import { to } from "../src/address/paths.ts"
import { menu } from "../src/shell/menu.ts"
import { violations } from "./fixture/axe.ts"
import { fillOne } from "./fixture/full.ts"
import { browser, serve, Visit } from "./fixture/visit.ts"

const lists = menu.flatMap(({ entries }) => entries.map(({ route }) => route))

describe.skipIf("skipped" in browser)("the looks of the page", () => {
  let service: Service
  let merchant: Merchant
  let visit: Visit
  beforeAll(async () => {
    service = await serve()
    merchant = await service.withOwner()
    await fillOne(merchant.test)
    visit = await Visit.signedIn(service, merchant)
  })
  afterAll(async () => {
    await visit?.end()
    await service?.close()
  })

  it("the selected option of a choice stands out in forced colours, and axe finds nothing on any screen", async () => {
    const { page } = visit
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, forcedColors: "active" })
      for (const route of lists) {
        await visit.go(to("test", route))
        // The colours are the system's. axe takes those of the text from the style before it is forced.
        const found = (await violations(page)).filter((each) => !each.startsWith("color-contrast"))
        assert.deepStrictEqual(found, [], route)
        const choices = await page.locator(".choice").evaluateAll((all) => {
          const canvas = getComputedStyle(document.body).backgroundColor
          /** A transparent option shows the canvas. */
          const ground = (of: Element) => getComputedStyle(of).backgroundColor.replace("rgba(0, 0, 0, 0)", canvas)
          return all.map((choice) =>
            [...choice.querySelectorAll("label")].map((label) => ({
              isChosen: label.querySelector("input")?.checked,
              ground: ground(label)
            }))
          )
        })
        assert.isNotEmpty(choices, route)
        for (const options of choices) {
          const others = options.filter(({ isChosen }) => !isChosen).map(({ ground }) => ground)
          const chosen = options.find(({ isChosen }) => isChosen)?.ground
          assert.notInclude(others, chosen, route)
        }
      }
    }
    await page.emulateMedia({ colorScheme: "light", forcedColors: "none" })
  })

  it("a list is as high as its rows, and a long one fills the window and no more", async () => {
    const { page } = visit
    const look = () =>
      page.evaluate(() => {
        const card = document.querySelector(".long-card")!.getBoundingClientRect()
        return { bottom: card.bottom, height: card.height, window: innerHeight }
      })
    await visit.go(to("test", "verifications"))
    assert.isBelow((await look()).height, 200)
    for (let n = 10; n < 40; n++) await merchant.test.started({ identity: `+4477009001${n}` })
    await visit.go(to("test", "audit"))
    await visit.go(to("test", "verifications"))
    await page.waitForFunction(() => document.querySelectorAll(".long-row").length > 10)
    const { bottom, window } = await look()
    assert.isAtMost(bottom, window)
    assert.isAbove(bottom, window - 40)
  })

  it("a screen that does not fill the window stays at a readable width in the middle of a very wide one", async () => {
    const { page } = visit
    await page.setViewportSize({ width: 2560, height: 1300 })
    await visit.go(to("test", "keys"))
    const [left, right, width] = await page.evaluate(() => {
      const [frame, body] = [".screen", ".screen-body"].map((of) => document.querySelector(of)!.getBoundingClientRect())
      return [body!.left - frame!.left, frame!.right - body!.right, body!.width] as const
    })
    assert.closeTo(left, right, 1)
    assert.isAtMost(width, 104 * 16)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it("on a phone, a press 20 px above or below a switch still switches it", async () => {
    const phone = await Visit.signedIn(service, merchant, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true
    })
    await phone.go(to("test", "settings"))
    const one = phone.page.getByRole("switch").first()
    await one.scrollIntoViewIfNeeded()
    const hits = await one.evaluate((input) => {
      const { height, left, top, width } = input.getBoundingClientRect()
      return [-20, 0, 20].map((by) => document.elementFromPoint(left + width / 2, top + height / 2 + by) === input)
    })
    assert.deepStrictEqual(hits, [true, true, true])
    await phone.end()
  })

  it.each(["", "C", "en-US@posix"])("a chart is drawn in a browser whose language is %j", async (language) => {
    const { page } = visit
    await page.context().addInitScript((language) => {
      Object.defineProperty(Navigator.prototype, "language", { get: () => language, configurable: true })
    }, language)
    await page.goto(`${visit.url}${to("test", "overview")}?range=24h`)
    await page.locator(".chart canvas").waitFor()
  })
})
