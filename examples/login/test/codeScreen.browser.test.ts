import { afterAll, assert, beforeAll, describe, test } from "vitest"
import { type App, startApp, wrong } from "./startApp.ts"
import type { Visit, VisitOptions } from "./visit.ts"
import { visitors } from "./visitors.ts"

const { noBrowser, visitor } = await visitors()

describe.skipIf(noBrowser)("the code screen in a browser", () => {
  let app: App
  beforeAll(async () => {
    app = await startApp({ whatsApp: true })
  })
  afterAll(() => app?.close())

  /** A user who requested a code and waits for it. */
  const waiting = async (identity: string, options?: VisitOptions) => {
    const who = await visitor(app.url, options)
    await who.ask(identity)
    await who.sees("Enter the code")
    return who
  }
  /** The page polls the code's status every three seconds. */
  const look = async ({ page }: Visit) => {
    const [answer] = await Promise.all([page.waitForResponse(/api\/progress/), page.clock.runFor(3000)])
    const progress: { readonly failed: boolean } = await answer.json()
    return progress
  }

  test("counts wrong codes, and sends a new code after the third", async () => {
    const phone = app.phone()
    const who = await waiting(phone)
    const code = await app.codeFor(phone)
    await who.code.fill(wrong(code))
    await who.problem.getByText("Wrong code. 2 attempts left.").waitFor()
    assert.strictEqual(await who.code.inputValue(), "")
    await who.page.reload()
    await who.code.fill(wrong(code))
    await who.problem.getByText("Wrong code. 1 attempt left.").waitFor()
    await who.code.fill(wrong(code))
    await who.problem.getByText("Too many wrong codes. Send a new code.").waitFor()
    assert.isFalse(await who.again.isVisible())
    assert.isFalse(await who.code.isEditable())

    await who.newCode.click()
    await who.notice.getByText("A new code was sent.").waitFor()
    assert.strictEqual(await who.problem.textContent(), "")
    const next = await app.codeFor(phone, 2)
    await who.code.fill(wrong(next))
    await who.problem.getByText("Wrong code. 2 attempts left.").waitFor()
    await who.code.fill(next)
    await who.sees("You are signed in")
  })

  test("follows the service where the two counts differ", async () => {
    const phone = app.phone()
    const who = await waiting(phone)
    const code = await app.codeFor(phone)
    await who.page.evaluate(`
      sessionStorage.setItem("login", JSON.stringify({ ...JSON.parse(sessionStorage.getItem("login")), triesLeft: 9 }))
    `)
    await who.page.reload()
    for (const left of ["8 attempts", "7 attempts", "6 attempts"]) {
      await who.code.fill(wrong(code))
      await who.problem.getByText(`Wrong code. ${left} left.`).waitFor()
    }
    await who.code.fill(code)
    await who.problem.getByText("Too many wrong codes. Send a new code.").waitFor()
    await who.newCode.waitFor()
  })

  test("shows when a code has expired, on time and also when the browser's clock is behind", async () => {
    const phone = app.phone()
    const who = await waiting(phone, { clock: true })
    // The page's clock was stopped while the code was created.
    await who.page.getByText(/^The code is valid for [4-6]:\d\d$/).waitFor()
    app.pass(420)
    await who.page.clock.fastForward(420_000)
    await who.problem.getByText("The code has expired. Send a new one.").waitFor()
    await who.newCode.click()
    await who.notice.getByText("A new code was sent.").waitFor()
    await app.codeFor(phone, 2)

    app.pass(301)
    await who.code.fill(await app.codeFor(phone, 2))
    await who.problem.getByText("This code is no longer valid. Send a new one.").waitFor()
    await who.newCode.click()
    await who.code.fill(await app.codeFor(phone, 3))
    await who.sees("You are signed in")
  })

  test("resends the same code after 15 seconds, by SMS on request", async () => {
    const phone = app.phone()
    const who = await waiting(phone, { clock: true })
    const code = await app.codeFor(phone)
    await who.page.getByText(`We sent a 6-digit code by WhatsApp to ${phone}.`).waitFor()
    assert.match((await who.again.textContent()) ?? "", /^Send again in 0:1\d$/)
    assert.isTrue(await who.again.isDisabled())
    assert.isTrue(await who.bySms.isDisabled())
    app.pass(15)
    await who.page.clock.fastForward(15_000)
    await who.page.getByRole("button", { name: "Send again", exact: true, disabled: false }).click()
    await who.notice.getByText("The code was sent again.").waitFor()
    assert.strictEqual(await app.codeFor(phone, 2), code)
    assert.isTrue(await who.again.isDisabled())

    app.pass(30)
    await who.page.clock.fastForward(30_000)
    await who.bySms.click()
    await who.page.getByText(`We sent a 6-digit code by SMS to ${phone}.`).waitFor()
    assert.strictEqual(await app.codeFor(phone, 3), code)
    assert.isFalse(await who.bySms.isVisible())
    await who.code.fill(code)
    await who.sees("You are signed in")
  })

  test("shows that the code was also sent by SMS", async () => {
    const phone = app.phone("0000")
    const who = await waiting(phone, { clock: true })
    await app.codeFor(phone)
    assert.deepInclude(await look(who), { failed: false })
    await who.notice.getByText("We also sent it by SMS.").waitFor()
    await who.page.reload()
    await who.page.getByText(/digit code by WhatsApp/).waitFor()
    await look(who)
    assert.strictEqual(await who.notice.textContent(), "", "told once")
    await who.code.fill(await app.codeFor(phone))
    await who.sees("You are signed in")
  })

  test("shows that the code could not be delivered", async () => {
    const who = await waiting(app.phone("0001"), { clock: true })
    const known = async (looks: number): Promise<void> => {
      if (!(await look(who)).failed && looks > 1) return known(looks - 1)
    }
    await known(50)
    await who.problem.getByText(/^We could not deliver the code\./).waitFor()
    await who.newCode.waitFor()
  })

  test("finds the code in a pasted message, and submits it", async () => {
    const email = app.email()
    const who = await waiting(email)
    await who.page.getByText(`We sent a 6-digit code by e-mail to ${email}.`).waitFor()
    const code = await app.codeFor(email)
    const mail = await who.context.newPage()
    await mail.setContent("<textarea></textarea>")
    await mail.locator("textarea").fill(`Hello! Within 5 minutes: ${code.slice(0, 3)} ${code.slice(3)} is your code.`)
    await mail.keyboard.press("ControlOrMeta+A")
    await mail.keyboard.press("ControlOrMeta+C")
    await who.page.bringToFront()
    await who.page.keyboard.press("ControlOrMeta+V")
    await who.sees("You are signed in")
  })

  test("returns after a reload, and lets the user change the address of the code", async () => {
    for (const identity of [app.phone(), app.email()]) {
      const who = await waiting(identity)
      await who.page.reload()
      await who.sees("Enter the code")
      await who.page.getByText(identity).waitFor()
      await who.change.click()
      await who.sees("Sign in")
      const input = identity.includes("@") ? who.email : who.phone
      assert.strictEqual(await input.inputValue(), identity)
      await who.go.click()
      await who.sees("Enter the code")
      await who.page.reload()
      await who.code.fill(await app.codeFor(identity, 2))
      await who.sees("You are signed in")
    }
  })

  test("works without a mouse", async () => {
    const phone = app.phone()
    const who = await visitor(app.url)
    const { keyboard } = who.page
    const focused = () => who.page.evaluate<string>("document.activeElement.id")
    const tab = async (id: string) => {
      await keyboard.press("Tab")
      assert.strictEqual(await focused(), id)
    }
    await tab("by-phone")
    await keyboard.press("ArrowRight")
    assert.isTrue(await who.email.isVisible())
    await tab("email")
    await keyboard.press("Shift+Tab")
    await keyboard.press("ArrowLeft")
    await tab("phone")
    await keyboard.type(phone)
    await keyboard.press("Enter")
    await who.sees("Enter the code")
    assert.strictEqual(await focused(), "code")
    await tab("code-continue")
    await keyboard.press("Shift+Tab")
    await keyboard.press("Shift+Tab")
    assert.strictEqual(await focused(), "code-back")
    await tab("code")
    await keyboard.type("12")
    await keyboard.press("Enter")
    await who.problem.getByText("Enter all 6 digits.").waitFor()
    await keyboard.press("Backspace")
    await keyboard.press("Backspace")
    await keyboard.type(await app.codeFor(phone))
    await who.sees("You are signed in")
    assert.strictEqual(await focused(), "home-title")
    await tab("sign-out")
    await tab("forget-device")
    await keyboard.press("Shift+Tab")
    await keyboard.press("Enter")
    await who.sees("Sign in")
    assert.strictEqual(await focused(), "phone")
  })

  test("repeats the same requests once the service is back, and counts nothing twice", async () => {
    const phone = app.phone()
    const who = await waiting(phone)
    const code = await app.codeFor(phone)
    try {
      app.leave()
      await who.code.fill(code)
      await who.problem.getByText("The service is not responding. Try again in a minute.").waitFor()
    } finally {
      app.comeBack()
    }
    assert.strictEqual(await who.code.inputValue(), code)
    await who.go.click()
    await who.sees("You are signed in")
  })
})
