import { afterAll, assert, beforeAll, describe, test } from "vitest"
import { type App, startApp } from "./startApp.ts"
import type { Visit } from "./visit.ts"
import { visitors } from "./visitors.ts"

const { noBrowser, visitor } = await visitors()

/** The SDK's storage key for a phone's device token. */
const remembered = "countersign:pk_live_example"

describe.skipIf(noBrowser)("signing in in a browser", () => {
  let app: App
  beforeAll(async () => {
    app = await startApp()
  })
  afterAll(() => app?.close())

  /** Signs in with a code; `nth` is the position of its message. */
  const signIn = async (who: Visit, identity: string, nth = 1) => {
    await who.ask(identity)
    await who.sees("Enter the code")
    await who.code.fill(await app.codeFor(identity, nth))
    await who.sees("You are signed in")
  }
  const leave = async (who: Visit) => {
    await who.signOut.click()
    await who.sees("Sign in")
  }
  const isKnown = async (who: Visit, identity: string) => {
    await who.ask(identity)
    await who.sees("Welcome back")
    await leave(who)
  }
  const needsCode = async (who: Visit, identity: string) => {
    await who.ask(identity)
    await who.sees("Enter the code")
  }

  for (const kind of ["phone", "email"] as const) {
    test(`by ${kind}: needs a code the first time, none the second, and one again once the device is forgotten`, async () => {
      const [who, identity] = [await visitor(app.url), app[kind]()]
      await signIn(who, identity)
      await who.page.getByText(identity, { exact: true }).waitFor()
      await who.page.getByText("You entered the correct code. This device needs no code next time.").waitFor()
      await who.page.reload()
      await who.sees("You are signed in")
      await leave(who)
      await who.page.reload()
      await who.sees("Sign in")

      await who.ask(identity)
      await who.sees("Welcome back")
      await who.page.getByText("No code needed: this device is trusted.").waitFor()
      await who.forget.click()
      await who.notice.getByText("This device is no longer trusted.").waitFor()
      assert.isFalse(await who.page.getByText(/we know this device|needs none/).isVisible())
      await leave(who)
      await needsCode(who, identity)
    })

    test(`by ${kind}: needs a code on a device that the merchant revoked`, async () => {
      const [who, identity] = [await visitor(app.url), app[kind]()]
      await signIn(who, identity)
      await leave(who)
      const devices = await app.devices(identity)
      assert.strictEqual(devices.length, 1)
      assert.strictEqual(await app.revoke(devices[0] ?? ""), 204)
      assert.deepStrictEqual(await app.devices(identity), [])
      await signIn(who, identity, 2)
      await leave(who)
      await isKnown(who, identity)
    })
  }

  test("with a stolen token fails, and the owner needs a code next time", async () => {
    const [owner, thief, phone] = [await visitor(app.url), await visitor(app.url), app.phone()]
    await signIn(owner, phone)
    await leave(owner)
    const stolen = await owner.page.evaluate<string>(`localStorage.getItem("${remembered}")`)
    assert.include(stolen, "dvc_")
    await isKnown(owner, phone)
    assert.notStrictEqual(await owner.page.evaluate(`localStorage.getItem("${remembered}")`), stolen)

    app.pass(61)
    await thief.page.evaluate(`localStorage.setItem("${remembered}", ${JSON.stringify(stolen)})`)
    await needsCode(thief, phone)
    assert.deepStrictEqual(await app.devices(phone), [])
    await needsCode(owner, phone)
  })

  test("with a stolen cookie of the e-mail login fails too", async () => {
    const [owner, thief, email] = [await visitor(app.url), await visitor(app.url), app.email()]
    await signIn(owner, email)
    await leave(owner)
    const stolen = (await owner.context.cookies()).filter(({ name }) => name === "device")
    assert.deepInclude(stolen[0], { httpOnly: true, sameSite: "Lax" })
    await isKnown(owner, email)

    app.pass(61)
    await thief.context.addCookies(stolen)
    await needsCode(thief, email)
    assert.deepStrictEqual(await app.devices(email), [])
    await needsCode(owner, email)
  })

  test("works the same at the service's own address", async () => {
    const mounted = await startApp({ mounted: true })
    try {
      const [who, phone] = [await visitor(mounted.url), mounted.phone()]
      await who.ask(phone)
      await who.code.fill(await mounted.codeFor(phone))
      await who.sees("You are signed in")
      await leave(who)
      await isKnown(who, phone)
    } finally {
      await mounted.close()
    }
  })

  test("shows which input is wrong, and keeps the input", async () => {
    const who = await visitor(app.url)
    await who.go.click()
    await who.problem.getByText("Enter your phone number.").waitFor()
    await who.phone.fill("12")
    assert.strictEqual(await who.problem.textContent(), "")
    await who.go.click()
    await who.problem.getByText("This phone number is not valid. Check the number and its country code.").waitFor()
    assert.strictEqual(await who.phone.inputValue(), "12")
    assert.strictEqual(await who.phone.getAttribute("aria-invalid"), "true")
    await who.page.getByRole("radio", { name: "E-mail" }).check()
    assert.strictEqual(await who.problem.textContent(), "")
    await who.email.fill("nobody")
    await who.go.click()
    await who.problem.getByText("This e-mail address is not valid. Check it for typing errors.").waitFor()
  })
})
