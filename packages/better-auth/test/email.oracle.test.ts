import { assert, describe, test } from "vitest"
import { standInOf } from "../src/secrets.ts"
import { library } from "./fixtures/library.ts"
import { makeWorld, wrong } from "./fixtures/world.ts"

const email = "asha@example.com"
const send = (type = "sign-in", to = email) => ["/email-otp/send-verification-otp", { email: to, type }] as const
const signIn = "/sign-in/email-otp"

describe("a code by e-mail", () => {
  test.each(["http", "process"] as const)("signs a new user up and sets the session cookie, over %s", async (over) => {
    const { browser, codeOf, rows } = await makeWorld({ over })
    const visitor = browser()
    assert.strictEqual((await visitor.post(...send())).status, 200)
    const code = await codeOf(email)
    assert.strictEqual((await visitor.post(signIn, { email, otp: code })).status, 200)
    assert.deepInclude(await visitor.user(), { email, emailVerified: true })
    assert.lengthOf(rows.user, 1)
    assert.isEmpty(rows.verification)
  })

  test("signs in an existing user with a password, who keeps the account", async () => {
    const { browser, codeOf } = await makeWorld()
    const first = browser()
    const signedUp = await first.post("/sign-up/email", { email, password: "a-long-password", name: "Asha" })
    assert.strictEqual(signedUp.status, 200)
    const visitor = browser()
    await visitor.post(...send("sign-in", "Asha@Example.com"))
    assert.strictEqual(
      (await visitor.post(signIn, { email: "ASHA@example.com", otp: await codeOf(email) })).status,
      200
    )
    assert.strictEqual((await visitor.user())!["id"], signedUp.body["user"].id)
  })

  test("is refused when it is wrong, and three wrong codes end the verification", async () => {
    const { browser, codeOf } = await makeWorld({ settings: { maxAttempts: 3 } })
    const visitor = browser()
    await visitor.post(...send())
    const code = await codeOf(email)
    for (const by of [1, 2, 3]) {
      const refused = await visitor.post(signIn, { email, otp: wrong(code, by) })
      assert.deepStrictEqual([refused.status, refused.body["code"]], [400, "INVALID_OTP"])
    }
    assert.strictEqual((await visitor.post(signIn, { email, otp: code })).body["code"], "TOO_MANY_ATTEMPTS")
    assert.isNull(await visitor.user())
  })

  test("is right after wrong codes, because better-auth counts none of them", async () => {
    const { browser, codeOf } = await makeWorld({ settings: { maxAttempts: 5 } })
    const visitor = browser()
    await visitor.post(...send())
    const code = await codeOf(email)
    for (const by of [1, 2, 3, 4]) await visitor.post(signIn, { email, otp: wrong(code, by) })
    assert.strictEqual((await visitor.post(signIn, { email, otp: code })).status, 200)
  })

  test("expires when Countersign says so", async () => {
    const { browser, codeOf, pass } = await makeWorld({ settings: { codeExpirySeconds: 120 } })
    const visitor = browser()
    await visitor.post(...send())
    const code = await codeOf(email)
    pass(121)
    assert.strictEqual((await visitor.post(signIn, { email, otp: code })).body["code"], "OTP_EXPIRED")
  })

  test("signs in once, and of twenty concurrent requests one", async () => {
    const { browser, codeOf, rows } = await makeWorld()
    await browser().post(...send())
    const code = await codeOf(email)
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser().post(signIn, { email, otp: code })))
    assert.lengthOf(
      answers.filter(({ status }) => status === 200),
      1
    )
    assert.strictEqual((await browser().post(signIn, { email, otp: code })).body["code"], "INVALID_OTP")
    assert.lengthOf(rows.session, 1)
  })

  test("is the only thing that is accepted: what better-auth stores and compares is refused", async () => {
    const { auth, browser, codeOf, rows } = await makeWorld({ settings: { maxAttempts: 10 } })
    const visitor = browser()
    await visitor.post(...send())
    const code = await codeOf(email)
    const stored = String(rows.verification[0]!["value"]).split(":")[0]!
    assert.notInclude(stored, code)
    const standIn = standInOf("a-secret-of-the-tests-with-enough-length", "sign-in", email)
    for (const otp of [stored, standIn, "", " "]) {
      const refused = await visitor.post(signIn, { email, otp })
      assert.deepStrictEqual([refused.status, refused.body["code"]], [400, "INVALID_OTP"], otp)
    }
    for (const otp of [[code], { code }, 1, null])
      assert.isAtLeast((await visitor.post(signIn, { email, otp })).status, 400)
    assert.isNull(await visitor.user())
    // The function for servers fails as the endpoint does, with an error that better-auth knows.
    const failed = await auth.api["signInEmailOTP"]!({ body: { email, otp: standIn } }).catch((error: unknown) => error)
    assert.isTrue(library.isAPIError(failed))
    const signedIn = await auth.api["signInEmailOTP"]!({ body: { email, otp: code } })
    assert.isString(signedIn["token"])
  })

  test("of one address does not work for another, and of one purpose not for another", async () => {
    const { browser, codeOf } = await makeWorld()
    const [owner, thief] = [browser(), browser()]
    await owner.post("/sign-up/email", { email, password: "a-long-password", name: "Asha" })
    await owner.post(...send())
    await thief.post(...send("sign-in", "thief@example.com"))
    const code = await codeOf("thief@example.com")
    assert.strictEqual((await thief.post(signIn, { email, otp: code })).body["code"], "INVALID_OTP")
    const owned = await codeOf(email)
    const reset = { email, otp: owned, password: "a-stolen-password" }
    assert.strictEqual((await thief.post("/email-otp/reset-password", reset)).body["code"], "INVALID_OTP")
    assert.strictEqual((await owner.post(signIn, { email, otp: owned })).status, 200)
  })

  test("verifies an address, resets a password and changes an address", async () => {
    const { browser, codeOf, pass } = await makeWorld()
    const user = browser()
    await user.post("/sign-up/email", { email, password: "a-long-password", name: "Asha" })
    await user.post(...send("email-verification"))
    const verified = await user.post("/email-otp/verify-email", { email, otp: await codeOf(email) })
    assert.strictEqual(verified.status, 200)
    pass(60)
    await browser().post("/email-otp/request-password-reset", { email })
    const password = "another-long-password"
    const reset = await browser().post("/email-otp/reset-password", { email, otp: await codeOf(email), password })
    assert.strictEqual(reset.status, 200)
    const again = browser()
    assert.strictEqual((await again.post("/sign-in/email", { email, password })).status, 200)
    pass(60)
    const newEmail = "asha@example.net"
    assert.strictEqual((await again.post("/email-otp/request-email-change", { newEmail })).status, 200)
    const change = { newEmail, otp: await codeOf(newEmail) }
    assert.strictEqual((await again.post("/email-otp/change-email", change)).status, 200)
    assert.strictEqual((await again.user())!["email"], newEmail)
  })

  test("is not used up by a check without an effect, which is refused", async () => {
    const { browser, codeOf } = await makeWorld()
    const visitor = browser()
    await visitor.post(...send())
    const otp = await codeOf(email)
    const refused = await visitor.post("/email-otp/check-verification-otp", { email, otp, type: "sign-in" })
    assert.deepStrictEqual([refused.status, refused.body["code"]], [501, "CODE_WORKS_ONCE"])
    assert.strictEqual((await visitor.post(signIn, { email, otp })).status, 200)
  })
})

describe("a refusal to send an e-mail", () => {
  const settings = { resendCooldownSeconds: 30 }

  test("reaches the user of a sign-in with the seconds to wait, and leaves the first code valid", async () => {
    const { browser, codeOf } = await makeWorld({ settings })
    const visitor = browser()
    await visitor.post(...send())
    const code = await codeOf(email)
    const refused = await visitor.post(...send())
    assert.deepStrictEqual([refused.status, refused.body["code"]], [429, "RATE_LIMIT_EXCEEDED"])
    assert.match(refused.headers.get("retry-after")!, /^\d+$/)
    assert.strictEqual((await visitor.post(signIn, { email, otp: code })).status, 200)
  })

  test("does not tell which addresses have users", async () => {
    const closed = await makeWorld({ settings, emailOTP: { disableSignUp: true } })
    await closed.browser().post("/sign-up/email", { email, password: "a-long-password", name: "Asha" })
    for (const type of ["sign-in", "forget-password", "email-verification"])
      for (const to of [email, "nobody@example.com"])
        for (const _ of [1, 2]) assert.strictEqual((await closed.browser().post(...send(type, to))).status, 200, type)
    assert.lengthOf(closed.sent, 1)
  })

  test("for an invalid address is better-auth's own", async () => {
    const { browser } = await makeWorld()
    const refused = await browser().post(...send("sign-in", "nobody"))
    assert.deepStrictEqual([refused.status, refused.body["code"]], [400, "INVALID_EMAIL"])
  })
})
