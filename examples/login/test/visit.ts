import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"

/** Problems in a browser: errors of the page's scripts, and policy violations. */
const listenTo = (context: BrowserContext): Array<string> => {
  const problems: Array<string> = []
  context.on("weberror", (error) => problems.push(String(error.error())))
  context.on("console", (message) => {
    // A refusal that the page explains to the user is not a problem.
    const expected = message.text().startsWith("Failed to load resource: ")
    if (!expected && ["error", "warning"].includes(message.type())) problems.push(message.text())
  })
  return problems
}

/** The visible content and the actions of the page, in its users' words. */
const controls = (page: Page) => ({
  phone: page.getByLabel("Phone number"),
  email: page.getByLabel("E-mail address"),
  code: page.getByRole("textbox", { name: "Code" }),
  go: page.getByRole("button", { name: "Continue" }),
  newCode: page.getByRole("button", { name: "Send a new code" }),
  again: page.getByRole("button", { name: /^Send again/ }),
  bySms: page.getByRole("button", { name: "Send by SMS" }),
  change: page.getByRole("button", { name: "Change" }),
  signOut: page.getByRole("button", { name: "Sign out" }),
  forget: page.getByRole("button", { name: "Forget this device" }),
  problem: page.locator("[role=alert]:visible"),
  notice: page.locator("[role=status]:visible"),
  title: page.getByRole("heading", { level: 1 })
})

export interface Visit extends ReturnType<typeof controls> {
  readonly page: Page
  readonly context: BrowserContext
  readonly problems: ReadonlyArray<string>
  /** Clears the problems so far, because the test expects them. */
  readonly forgive: () => void
  /** Waits until a screen is visible. */
  readonly sees: (title: string) => Promise<void>
  /** Requests a code, and waits for the result. */
  readonly ask: (identity: string) => Promise<void>
}

export interface VisitOptions extends BrowserContextOptions {
  /** The browser's clock is stopped, and the test moves it forward. */
  readonly clock?: boolean
}

/** Opens the page in a new browser. */
export const visit = async (
  browser: Pick<Browser, "newContext">,
  url: string,
  { clock = false, ...options }: VisitOptions = {}
): Promise<Visit> => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "en-GB", ...options })
  context.setDefaultTimeout(120_000) // a speed score: a busy machine is not a fault of the page
  const problems = listenTo(context)
  const page = await context.newPage()
  if (clock) await page.clock.install()
  await page.goto(url)
  const all = controls(page)
  await all.title.waitFor()
  // A minute ahead, because the clock can only move forward and a busy machine needs time for it.
  if (clock) await page.clock.pauseAt(Date.now() + 60_000)
  return {
    ...all,
    page,
    context,
    problems,
    forgive: () => void problems.splice(0),
    sees: (title) => page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor(),
    ask: async (identity) => {
      const mail = identity.includes("@")
      await page.getByRole("radio", { name: mail ? "E-mail" : "Phone" }).check()
      await (mail ? all.email : all.phone).fill(identity)
      await all.go.click()
      await page.getByRole("heading", { level: 1, name: /^(Enter the code|Welcome back)$/ }).waitFor()
    }
  }
}
