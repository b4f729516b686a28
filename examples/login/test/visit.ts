import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"

/** What a browser complains about: failures of the page's programs, and everything its policy refuses. */
const listenTo = (context: BrowserContext): Array<string> => {
  const problems: Array<string> = []
  context.on("weberror", (error) => problems.push(String(error.error())))
  context.on("console", (message) => {
    // A refusal that the page explains to its reader is not a fault of the page.
    const expected = message.text().startsWith("Failed to load resource: ")
    if (!expected && ["error", "warning"].includes(message.type())) problems.push(message.text())
  })
  return problems
}

/** What can be seen and done on the page, in its reader's words. */
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
  /** Forgets the problems so far: they were meant. */
  readonly forgive: () => void
  /** Waits until a screen is there. */
  readonly sees: (title: string) => Promise<void>
  /** Asks for a code, and waits for what comes of it. */
  readonly ask: (identity: string) => Promise<void>
}

export interface VisitOptions extends BrowserContextOptions {
  /** The browser's clock stands still, and the test puts it forward. */
  readonly clock?: boolean
}

/** Somebody with a browser of their own opens the page. */
export const visit = async (
  browser: Pick<Browser, "newContext">,
  url: string,
  { clock = false, ...options }: VisitOptions = {}
): Promise<Visit> => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "en-GB", ...options })
  context.setDefaultTimeout(120_000) // no measure of speed: what a busy machine brings late is no failure
  const problems = listenTo(context)
  const page = await context.newPage()
  if (clock) await page.clock.install()
  await page.goto(url)
  const all = controls(page)
  await all.title.waitFor()
  // A minute ahead: it can only be put forward, and on a busy machine this takes a while to arrive.
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
