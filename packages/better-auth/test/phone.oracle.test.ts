import { assert, describe, test, vi } from "vitest"
import { makeWorld, wrong } from "./fixtures/world.ts"

const phoneNumber = "+919876543210"
const send = "/phone-number/send-otp"
const verify = "/phone-number/verify"

describe.each(["http", "process"] as const)("a phone number, with Countersign over %s", (over) => {
  test("a new user signs up with the code of Countersign and gets a session cookie", async () => {
    const { browser, codeOf, rows } = await makeWorld({ over })
    const visitor = browser()
    assert.strictEqual((await visitor.post(send, { phoneNumber })).status, 200)
    const answer = await visitor.post(verify, { phoneNumber, code: await codeOf(phoneNumber) })
    assert.strictEqual(answer.status, 200)
    assert.match(answer.headers.getSetCookie().join(), /better-auth\.session_token=.+HttpOnly/)
    const user = await visitor.user()
    assert.deepInclude(user, { phoneNumber, phoneNumberVerified: true })
    assert.lengthOf(rows.user, 1)
  })

  test("an existing user keeps the account", async () => {
    const { browser, codeOf, pass, rows } = await makeWorld({ over })
    const first = browser()
    await first.post(send, { phoneNumber })
    await first.post(verify, { phoneNumber, code: await codeOf(phoneNumber) })
    pass(60)
    const again = browser()
    await again.post(send, { phoneNumber })
    await again.post(verify, { phoneNumber, code: await codeOf(phoneNumber) })
    assert.strictEqual((await again.user())!["id"], (await first.user())!["id"])
    assert.lengthOf(rows.user, 1)
  })
})

describe("the code of a phone number", () => {
  test("a wrong code is refused with better-auth's own code, and three of them end the verification", async () => {
    const { browser, codeOf } = await makeWorld({ settings: { maxAttempts: 3 } })
    const visitor = browser()
    await visitor.post(send, { phoneNumber })
    const code = await codeOf(phoneNumber)
    for (const by of [1, 2, 3]) {
      const refused = await visitor.post(verify, { phoneNumber, code: wrong(code, by) })
      assert.deepStrictEqual([refused.status, refused.body["code"]], [400, "INVALID_OTP"])
    }
    const ended = await visitor.post(verify, { phoneNumber, code })
    assert.deepStrictEqual([ended.status, ended.body["code"]], [403, "TOO_MANY_ATTEMPTS"])
    assert.isNull(await visitor.user())
  })

  test("an expired code is refused", async () => {
    const { browser, codeOf, pass } = await makeWorld({ settings: { codeExpirySeconds: 120 } })
    const visitor = browser()
    await visitor.post(send, { phoneNumber })
    const code = await codeOf(phoneNumber)
    pass(121)
    const refused = await visitor.post(verify, { phoneNumber, code })
    assert.deepStrictEqual([refused.status, refused.body["code"]], [400, "OTP_EXPIRED"])
  })

  test.each([true, false])("a code signs in once, with strictReverify %s", async (strictReverify) => {
    const { browser, codeOf, rows } = await makeWorld({ settings: { strictReverify } })
    const visitor = browser()
    await visitor.post(send, { phoneNumber })
    const code = await codeOf(phoneNumber)
    assert.strictEqual((await visitor.post(verify, { phoneNumber, code })).status, 200)
    for (const again of [code, wrong(code)]) {
      const refused = await browser().post(verify, { phoneNumber, code: again })
      assert.deepStrictEqual([refused.status, refused.body["code"]], [400, "INVALID_OTP"])
    }
    assert.lengthOf(rows.session, 1)
  })

  test("of twenty concurrent requests with the right code one signs in", async () => {
    const { browser, codeOf, rows } = await makeWorld()
    await browser().post(send, { phoneNumber })
    const code = await codeOf(phoneNumber)
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser().post(verify, { phoneNumber, code })))
    assert.lengthOf(
      answers.filter(({ status }) => status === 200),
      1
    )
    assert.lengthOf(rows.session, 1)
  })

  test("a resend keeps the code", async () => {
    const { browser, codeOf, pass, sent } = await makeWorld()
    const visitor = browser()
    await visitor.post(send, { phoneNumber })
    const code = await codeOf(phoneNumber)
    pass(60)
    await visitor.post(send, { phoneNumber })
    await vi.waitFor(() => assert.lengthOf(sent, 2), { timeout: 60_000, interval: 5 })
    assert.strictEqual(await codeOf(phoneNumber), code)
    assert.strictEqual((await visitor.post(verify, { phoneNumber, code })).status, 200)
  })

  test("the code of one number does not work for another number", async () => {
    const { browser, codeOf } = await makeWorld()
    const [owner, thief] = [browser(), browser()]
    const own = "+919876543211"
    await owner.post(send, { phoneNumber })
    await thief.post(send, { phoneNumber: own })
    const code = await codeOf(own)
    // The two codes may be equal by chance, once in a million.
    assert.strictEqual((await thief.post(verify, { phoneNumber, code })).body["code"], "INVALID_OTP")
    const spelled = await thief.post(verify, { phoneNumber: `${phoneNumber} `, code })
    assert.strictEqual(spelled.body["code"], "INVALID_OTP")
    assert.isNull(await thief.user())
  })

  test("a signed-in user changes the number only with the code of the new number", async () => {
    const { browser, codeOf, pass, rows } = await makeWorld()
    const [user, next] = [browser(), "+919876543212"]
    await user.post(send, { phoneNumber })
    const old = await codeOf(phoneNumber)
    await user.post(verify, { phoneNumber, code: old })
    pass(60)
    await user.post(send, { phoneNumber: next })
    const code = await codeOf(next)
    const refused = await user.post(verify, { phoneNumber: next, code: old, updatePhoneNumber: true })
    assert.strictEqual(refused.body["code"], "INVALID_OTP")
    const changed = await user.post(verify, { phoneNumber: next, code, updatePhoneNumber: true })
    assert.strictEqual(changed.status, 200)
    assert.strictEqual((await user.user())!["phoneNumber"], next)
    assert.lengthOf(rows.user, 1)
  })

  test("the code that better-auth stores for itself is refused", async () => {
    const { browser, codeOf, rows } = await makeWorld()
    await browser().post(send, { phoneNumber })
    const code = await codeOf(phoneNumber)
    const stored = rows.verification.map(({ value }) => String(value).split(":")[0]!)
    assert.lengthOf(stored, 1)
    for (const its of stored.filter((value) => value !== code)) {
      const refused = await browser().post(verify, { phoneNumber, code: its })
      assert.strictEqual(refused.body["code"], "INVALID_OTP")
    }
  })

  test("a password reset takes a code that was requested for it, and no stored code", async () => {
    const { browser, codeOf, pass, rows } = await makeWorld()
    const visitor = browser()
    await visitor.post(send, { phoneNumber })
    await visitor.post(verify, { phoneNumber, code: await codeOf(phoneNumber) })
    pass(60)
    assert.strictEqual((await visitor.post("/phone-number/request-password-reset", { phoneNumber })).status, 200)
    const stored = rows.verification
      .filter(({ identifier }) => String(identifier).startsWith("phone-number-reset"))
      .map(({ value }) => String(value).split(":")[0]!)
    const code = await codeOf(phoneNumber)
    const reset = (otp: string) =>
      browser().post("/phone-number/reset-password", { phoneNumber, otp, newPassword: "a-new-password" })
    for (const its of stored.filter((value) => value !== code))
      assert.strictEqual((await reset(its)).body["code"], "INVALID_OTP")
    // The code of a reset is not looked for under a sign-in.
    assert.strictEqual(
      (await browser().post(verify, { phoneNumber, code: wrong(code, 5) })).body["code"],
      "INVALID_OTP"
    )
    assert.strictEqual((await reset(code)).status, 200)
    const signIn = await browser().post("/sign-in/phone-number", { phoneNumber, password: "a-new-password" })
    assert.strictEqual(signIn.status, 200)
  })
})

describe("what Countersign refuses", () => {
  test("a code requested too soon is 429 with the seconds to wait, in both headers", async () => {
    const { browser } = await makeWorld({ settings: { resendCooldownSeconds: 30 } })
    const visitor = browser()
    await visitor.post(send, { phoneNumber })
    const refused = await visitor.post(send, { phoneNumber })
    assert.deepStrictEqual([refused.status, refused.body["code"]], [429, "RATE_LIMIT_EXCEEDED"])
    assert.match(refused.headers.get("retry-after")!, /^\d+$/)
    assert.strictEqual(refused.headers.get("x-retry-after"), refused.headers.get("retry-after"))
  })

  test("a country that is not allowed is 403 with the reason", async () => {
    const { browser, sent } = await makeWorld({ settings: { allowedCountries: ["DE"] } })
    const refused = await browser().post(send, { phoneNumber })
    assert.strictEqual(refused.status, 403)
    assert.isNotEmpty(refused.body["message"])
    assert.isEmpty(sent)
  })

  test("a number without a country code, or with blanks, is 400 with better-auth's own code", async () => {
    const { browser } = await makeWorld()
    for (const number of ["9876543210", "+91 98765 43210", "+123"]) {
      const refused = await browser().post(send, { phoneNumber: number })
      assert.deepStrictEqual([refused.status, refused.body["code"]], [400, "INVALID_PHONE_NUMBER"], number)
    }
  })

  test("an empty balance is 503 for the end user, and the operator reads why", async () => {
    const { browser, logged } = await makeWorld({ settings: { billing: "PREPAID" } })
    const refused = await browser().post(send, { phoneNumber })
    assert.deepStrictEqual([refused.status, refused.body["code"]], [503, "VERIFICATION_UNAVAILABLE"])
    assert.match(logged.join("\n"), /Countersign: (INSUFFICIENT|BILLING)_/)
  })

  test("guesses count at Countersign, whatever address they come from", async () => {
    const { browser, codeOf } = await makeWorld({ settings: { maxAttempts: 3 } })
    await browser().post(send, { phoneNumber })
    const code = await codeOf(phoneNumber)
    for (const host of [1, 2, 3])
      await browser({ "x-forwarded-for": `203.0.113.${host}` }).post(verify, { phoneNumber, code: wrong(code, host) })
    const refused = await browser({ "x-forwarded-for": "203.0.113.9" }).post(verify, { phoneNumber, code })
    assert.strictEqual(refused.body["code"], "TOO_MANY_ATTEMPTS")
  })

  test("the limit per address counts the end user's address, and not what a caller claims before the proxy", async () => {
    const { browser } = await makeWorld({ settings: { hourlyLimitPerAddress: 2 } })
    const from = (claimed: string, host: number) =>
      browser({ "x-forwarded-for": `${claimed}, 203.0.113.${host}, 10.0.0.1` })
    const number = (last: number) => ({ phoneNumber: `+91987654322${last}` })
    assert.strictEqual((await from("198.51.100.1", 7).post(send, number(1))).status, 200)
    assert.strictEqual((await from("198.51.100.2", 7).post(send, number(2))).status, 200)
    assert.strictEqual((await from("198.51.100.3", 7).post(send, number(3))).status, 429)
    assert.strictEqual((await from("198.51.100.3", 8).post(send, number(3))).status, 200)
  })

  test("no log of better-auth contains a code", async () => {
    const { browser, codeOf, logged, pass } = await makeWorld({
      settings: { resendCooldownSeconds: 30, maxAttempts: 1 }
    })
    const visitor = browser()
    await visitor.post(send, { phoneNumber })
    const code = await codeOf(phoneNumber)
    await visitor.post(send, { phoneNumber })
    await visitor.post(verify, { phoneNumber, code: wrong(code) })
    await visitor.post(verify, { phoneNumber, code })
    pass(3600)
    await visitor.post(verify, { phoneNumber, code })
    assert.notInclude(logged.join("\n"), code)
    assert.notInclude(logged.join("\n"), wrong(code))
  })
})
