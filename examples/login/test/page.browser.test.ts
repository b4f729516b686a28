import { afterAll, assert, beforeAll, describe, test } from "vitest"
import { audit } from "./audit.ts"
import { type App, startApp, wrong } from "./startApp.ts"
import { visitors } from "./visitors.ts"

const { noBrowser, visitor } = await visitors()

const looks = [
  { name: "a phone, light", viewport: { width: 390, height: 844 }, colorScheme: "light" },
  { name: "a desktop, dark", viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
  { name: "a very small screen", viewport: { width: 320, height: 568 }, colorScheme: "light" },
  { name: "forced colours", viewport: { width: 320, height: 568 }, colorScheme: "dark", forcedColors: "active" }
] as const

describe.skipIf(noBrowser)("the login page in a browser", () => {
  let app: App
  beforeAll(async () => {
    app = await startApp({ whatsApp: true })
  })
  afterAll(() => app?.close())

  test.for(looks)("is readable and usable for everyone: $name", async ({ name: _, ...look }) => {
    const who = await visitor(app.url, { ...look, reducedMotion: "reduce" })
    const good = async (what: string) => assert.deepStrictEqual(await who.page.evaluate(audit), [], what)
    await good("the first screen")
    await who.phone.fill("12")
    await who.go.click()
    await who.problem.getByText("This phone number is not valid.").waitFor()
    await good("a wrong number")
    const email = `somebody.with.a.name.that.does.not.want.to.end.${app.email()}`
    await who.ask(email)
    await good("waiting for a code")
    await who.code.fill(wrong(await app.codeFor(email)))
    await who.problem.getByText("2 attempts left").waitFor()
    await good("a wrong code")
    await who.code.fill(await app.codeFor(email))
    await who.sees("You are signed in")
    await good("signed in")
    await who.forget.click()
    await who.notice.getByText("This device is no longer trusted.").waitFor()
    await good("forgotten")
    await who.signOut.click()
    await who.sees("Sign in")
    await who.page.getByRole("radio", { name: "E-mail" }).check()
    await who.email.fill(email)
    await who.page.getByLabel("Send me").selectOption("A link")
    await who.go.click()
    await who.sees("Open the link")
    await who.page.getByText(/^[1-9][0-9]$/).waitFor()
    await good("waiting for a link")
  })

  test("announces changes to screen readers, next to the input they concern", async () => {
    const who = await visitor(app.url)
    const focused = () => who.page.evaluate<string>("document.activeElement.id")
    const phone = app.phone()
    assert.strictEqual(await who.page.title(), "Sign in · Countersign demo")
    await who.go.click()
    await who.page.getByRole("alert").getByText("Enter your phone number.").waitFor()
    assert.strictEqual(await focused(), "phone")
    await who.phone.and(who.page.locator("[aria-describedby='identity-problem'][aria-invalid='true']")).waitFor()

    await who.ask(phone)
    assert.strictEqual(await who.page.title(), "Enter the code · Countersign demo")
    await who.code.fill(wrong(await app.codeFor(phone)))
    await who.page.getByRole("alert").getByText("Wrong code.").waitFor()
    assert.strictEqual(await focused(), "code")
    await who.code.and(who.page.locator("[aria-describedby='code-sent code-problem'][aria-invalid='true']")).waitFor()
    const code = who.page.locator("#code[autocomplete=one-time-code][inputmode=numeric]")
    await code.fill("12")
    assert.strictEqual(await who.code.getAttribute("aria-invalid"), null)
    assert.strictEqual(await who.page.getByRole("timer").getAttribute("aria-live"), null, "a clock is not read out")
    await code.fill(await app.codeFor(phone))
    await who.sees("You are signed in")
    assert.strictEqual(await focused(), "home-title")
    assert.strictEqual(await who.page.title(), "Signed in · Countersign demo")
  })

  test("shows the keyboard focus", async () => {
    const who = await visitor(app.url)
    const outlined = () =>
      who.page.evaluate<boolean>(`(() => {
        const at = document.activeElement
        return [at, at.parentElement, at.nextElementSibling].some((one) => one && getComputedStyle(one).outlineStyle === "solid")
      })()`)
    for (const name of ["by-phone", "phone", "send", "identity-continue"]) {
      await who.page.keyboard.press("Tab")
      assert.strictEqual(await who.page.evaluate("document.activeElement.id"), name)
      assert.isTrue(await outlined(), name)
    }
    await who.ask(app.phone())
    assert.isTrue(await outlined(), "the code")
  })

  test("shows that the service is away, and continues when it is back", async () => {
    const who = await visitor(app.url)
    const email = app.email()
    try {
      app.leave()
      await who.page.getByRole("radio", { name: "E-mail" }).check()
      await who.email.fill(email)
      await who.go.click()
      await who.problem.getByText("The service is not responding. Try again in a minute.").waitFor()
      await who.page.reload()
      await who.sees("We cannot sign you in")
      assert.deepStrictEqual(await who.page.evaluate(audit), [])
    } finally {
      app.comeBack()
    }
    await who.page.getByRole("button", { name: "Try again" }).click()
    await who.sees("Sign in")
    await who.context.setOffline(true)
    await who.page.getByRole("radio", { name: "E-mail" }).check()
    await who.email.fill(email)
    await who.go.click()
    await who.problem.getByText("No response. Check your connection and try again.").waitFor()
    await who.context.setOffline(false)
    await who.ask(email)
    await who.code.fill(await app.codeFor(email))
    await who.sees("You are signed in")
  })

  test("is refused resources that its policy does not allow", async () => {
    const who = await visitor(app.url)
    const refused = await who.page.evaluate<string>(`new Promise((resolve) => {
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(effectiveDirective))
      fetch("http://127.0.0.1:1/").catch(() => {})
    })`)
    assert.strictEqual(refused, "connect-src")
    assert.isAbove(who.problems.length, 0, "and a test would see it")
    who.forgive()
  })
})
