import { to } from "../../src/address/paths.ts"
import { serveMany } from "../fixture/full.ts"
import { Visit } from "../fixture/visit.ts"
import { type Tasks, TaskWatch } from "./Tasks.ts"

const rows = 100_000
/** The list covers 30 days, as the seeds do. While it is read, two or three of the oldest rows expire per minute. */
const leaving = 100
const jumps = 60
const wheels = 60

export interface Scrolled {
  /** Number of rows in the page at the end. */
  readonly rows: number
  readonly phases: { readonly [name: string]: Tasks }
}

/** Scrolls the verification list with many rows, in every possible way. */
export const scroll = async (): Promise<Scrolled> => {
  const { fill, service } = await serveMany(rows + leaving)
  const merchant = await service.merchant()
  await fill(merchant.test)
  const visit = await Visit.signedIn(service, merchant)
  const { page } = visit
  await visit.go(to("test", "verifications"))
  const list = page.getByRole("grid")
  const watch = await TaskWatch.over(page)

  const drawn = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  const press = async (key: string) => {
    await page.keyboard.press(key)
    await drawn()
  }
  const turnWheel = async (by: number) => {
    for (let n = 0; n < wheels; n++) {
      await page.mouse.wheel(0, by)
      await drawn()
    }
  }
  const rowCount = async () => Number(await list.getAttribute("aria-rowcount"))
  /** The list shows its row count once the last page is loaded. */
  const readAll = async () => {
    while ((await rowCount()) === -1) {
      await page.keyboard.press("End")
      await page.waitForFunction(() => document.querySelector("[role=grid][aria-busy=true]") === null)
    }
  }

  const phases: { [name: string]: Tasks } = {}
  const { x, y, width, height } = (await list.boundingBox())!
  await page.mouse.move(x + width / 2, y + height / 2)
  phases["the wheel, from the first row on"] = await watch.during(() => turnWheel(1_500))
  await page.keyboard.press("j")
  phases["End, until every row was read"] = await watch.during(readAll)
  phases["Home, End, PageDown, PageUp, the arrows, with every row in the page"] = await watch.during(async () => {
    for (let n = 0; n < 10; n++) {
      await press("Home")
      for (const key of ["PageDown", "PageDown", "PageDown", "ArrowDown"]) await press(key)
      await press("End")
      for (const key of ["PageUp", "PageUp", "PageUp", "ArrowUp"]) await press(key)
    }
  })
  phases[`${jumps} jumps`] = await watch.during(async () => {
    for (let n = 0; n < jumps; n++) {
      await list.evaluate(
        (element, part) => {
          element.scrollTop = part * element.scrollHeight
        },
        (n * 0.618_033_989) % 1
      )
      await drawn()
    }
  })
  phases["the wheel, in the middle of all"] = await watch.during(() => turnWheel(-1_500))
  const held = (await rowCount()) - 1
  if (held < rows) throw new Error(`the list held ${held} rows`)
  await visit.end()
  await service.close()
  return { rows: held, phases }
}
