import { invited } from "../../../server/test/fixture/Dashboard.ts"
import { Service } from "../../../server/test/fixture/Service.ts"
import { until } from "../../../server/test/fixture/Until.ts"
import { to } from "../../src/address/paths.ts"
import { callOf } from "../fixture/full.ts"
import { Visit } from "../fixture/visit.ts"

export interface Running {
  readonly url: string
  readonly adminToken: string
  /** Number of sign-ins, each in a fresh browser. */
  readonly times: number
}

/** In milliseconds. */
export interface Arrived {
  /** From the sign-in response to the first figure on the screen. */
  readonly fromSignIn: number
  /** From opening the link. */
  readonly fromLink: number
}

const redeem = "/v1/dashboard/sessions/redeem"

/** Records when the first figure is drawn. Runs before the page's code. */
const noteFigure = () => {
  const observer = new MutationObserver(() => {
    if (document.querySelector(".figure-value") === null) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => performance.mark("figure")))
  })
  observer.observe(document, { childList: true, subtree: true })
}

const arrive = async (service: Service, token: string): Promise<Arrived> => {
  const visit = await Visit.begin(service)
  const { page } = visit
  await page.addInitScript(noteFigure)
  await page.goto(`${visit.url}${to("test", "overview")}#redeem=${token}`)
  await page.waitForFunction(() => performance.getEntriesByName("figure").length > 0)
  const arrived = await page.evaluate((path) => {
    const figure = performance.getEntriesByName("figure")[0]!.startTime
    const answer = performance.getEntriesByName(`${location.origin}${path}`)[0] as PerformanceResourceTiming
    return { fromSignIn: figure - answer.responseEnd, fromLink: figure }
  }, redeem)
  await visit.end()
  return arrived
}

/** Opens the overview of a test environment with an example day, by a sign-in link. */
export const firstFigure = async ({ adminToken, times, url }: Running): Promise<ReadonlyArray<Arrived>> => {
  const service = new Service({ mode: "embedded", adminToken, urls: [url], close: async () => {} })
  const merchant = await service.merchant()
  const call = callOf(merchant.test)
  await call("POST", "/v1/dashboard/example-day", {})
  await until(
    () => call("GET", "/v1/dashboard/example-day"),
    ({ isPlaying }) => !isPlaying,
    { what: "the end of the example day", within: 300_000 }
  )
  const all: Array<Arrived> = []
  // The first visit builds the page, so it does not count.
  for (let n = 0; n <= times; n++) {
    const { token } = await invited(merchant)
    all.push(await arrive(service, token))
  }
  return all.slice(1)
}
