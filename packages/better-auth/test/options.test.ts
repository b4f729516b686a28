import { assert, describe, test } from "vitest"
import type { AuthContext, AuthOptions } from "../src/AuthContext.ts"
import { clientAddress } from "../src/clientAddress.ts"
import { countersign } from "../src/index.ts"
import { open, seal } from "../src/secrets.ts"

const codes = countersign({ baseUrl: "http://localhost", clientId: "cs_test_1", clientSecret: "sk_test_1" })
const start = (id: string, options: Readonly<Record<string, unknown>>) => () =>
  codes.init({ options: { plugins: [{ id, options }, codes] } })

describe("a plugin of better-auth", () => {
  test("starts with all parts of countersign, or with none", () => {
    start("phone-number", { ...codes.phoneNumber })()
    start("phone-number", { ...codes.phoneNumber, phoneNumberValidator: () => true })()
    start("phone-number", { sendOTP: () => {} })()
    start("email-otp", { ...codes.emailOTP, otpLength: 8 })()
    start("email-otp", { sendVerificationOTP: () => {} })()
  })

  test("does not start with some parts, because its own codes would be accepted or none", () => {
    assert.throws(start("phone-number", { ...codes.phoneNumber, verifyOTP: undefined }), /leave out your own verifyOTP/)
    assert.throws(start("phone-number", { sendOTP: codes.phoneNumber.sendOTP }), /sendPasswordResetOTP, verifyOTP/)
    assert.throws(
      start("email-otp", { ...codes.emailOTP, generateOTP: () => "123456" }),
      /leave out your own generateOTP/
    )
  })

  test("sends no code by e-mail while the hooks that check it are missing", async () => {
    const context = { secret: "", options: { plugins: [] }, logger: { error: () => {} } }
    const failure = await codes.emailOTP
      .sendVerificationOTP({ email: "a@example.com", otp: "", type: "sign-in" }, { context })
      .catch((error: unknown) => error)
    assert.match(String(failure), /Add the value of countersign\(…\) itself/)
  })
})

describe("the end user's address", () => {
  const of = (headers: Record<string, string>, ipAddress: NonNullable<AuthOptions["advanced"]>["ipAddress"] = {}) =>
    clientAddress({
      headers: new Headers(headers),
      context: { options: { advanced: { ipAddress } } } as unknown as AuthContext["context"]
    })
  const trustedProxies = ["10.0.0.0/8", "2001:db8::/32", "nonsense"]

  test.each([
    ["no header", null, of({})],
    ["one address", "203.0.113.7", of({ "x-forwarded-for": " 203.0.113.7 " })],
    ["an IPv6 address", "2001:db8::1", of({ "x-forwarded-for": "2001:db8::1" })],
    ["a list that anyone could have begun", null, of({ "x-forwarded-for": "198.51.100.1, 203.0.113.7" })],
    ["no address", null, of({ "x-forwarded-for": "nobody" })],
    [
      "the last address before the proxies",
      "203.0.113.7",
      of({ "x-forwarded-for": "198.51.100.1, 203.0.113.7, 2001:db8::9, 10.0.0.1" }, { trustedProxies })
    ],
    ["garbage behind the proxies", null, of({ "x-forwarded-for": "203.0.113.7, x, 10.0.0.1" }, { trustedProxies })],
    ["proxies alone", null, of({ "x-forwarded-for": "10.0.0.2, 10.0.0.1" }, { trustedProxies })],
    [
      "another header",
      "203.0.113.7",
      of({ "x-forwarded-for": "198.51.100.1", "x-real-ip": "203.0.113.7" }, { ipAddressHeaders: ["x-real-ip"] })
    ],
    ["no tracking", null, of({ "x-forwarded-for": "203.0.113.7" }, { disableIpTracking: true })]
  ])("with %s is %s", (_, expected, address) => assert.strictEqual(address, expected))
})

test("a sealed state opens with its secret, whole and unchanged only", () => {
  const value = { email: "asha@example.com" }
  const sealed = seal("one", value)
  assert.notStrictEqual(seal("one", value), sealed)
  assert.deepStrictEqual(open("one", sealed), value)
  assert.isUndefined(open("two", sealed))
  for (let i = 0; i < sealed.length - 1; i++)
    assert.isUndefined(open("one", sealed.slice(0, i) + (sealed[i] === "A" ? "B" : "A") + sealed.slice(i + 1)))
  for (let i = 0; i < sealed.length; i++) assert.isUndefined(open("one", sealed.slice(0, i)))
})
