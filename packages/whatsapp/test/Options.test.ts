import { WhatsApp } from "@countersign/whatsapp"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { check } from "../src/Options.ts"

const good: WhatsApp.Options = {
  accessToken: Redacted.make("EAAGtoken"),
  phoneNumberIds: ["106540352242922"],
  appSecret: Redacted.make("app secret"),
  verifyToken: Redacted.make("verify token"),
  template: { name: "login_code", language: "en" }
}

const wrong: ReadonlyArray<readonly [field: string, more: Partial<WhatsApp.Options>]> = [
  ["accessToken", { accessToken: Redacted.make("") }],
  ["accessToken", { accessToken: Redacted.make("hidden\r\nX: 1") }],
  ["phoneNumberIds", { phoneNumberIds: [] }],
  ["phoneNumberIds", { phoneNumberIds: ["1", "+919812345678"] }],
  ["phoneNumberIds", { phoneNumberIds: ["../me"] }],
  ["wabaId", { wabaId: "1/2" }],
  ["appSecret", { appSecret: Redacted.make("") }],
  ["verifyToken", { verifyToken: Redacted.make("") }],
  ["template", { template: { name: "Login Code", language: "en" } }],
  ["template", { template: { name: "login_code", language: "English" } }],
  ["linkTemplate", { linkTemplate: { name: "Signin Link", language: "en" } }],
  ["version", { version: "25" }],
  ["perSecond", { perSecond: 0 }],
  ["perSecond", { perSecond: Number.NaN }],
  ["refreshEvery", { refreshEvery: "often" as never }],
  ["apiUrl", { apiUrl: "graph.facebook.com" }],
  ["apiUrl", { apiUrl: "file:///etc" }],
  ["apiUrl", { apiUrl: "https://hidden:hidden@graph.facebook.com" }],
  ["apiUrl", { apiUrl: "https://graph.facebook.com?a=1" }]
]

it.effect("an invalid option is named without its value", () =>
  Effect.gen(function* () {
    for (const [field, more] of wrong) {
      const { message, problems } = yield* Effect.fromResult(Result.flip(check({ ...good, ...more })))
      assert.deepStrictEqual(
        problems.map(({ option }) => option),
        [field]
      )
      assert.notInclude(message, "hidden")
    }
  })
)

it("all invalid options are named together", () => {
  const { problems } = Result.getOrThrow(Result.flip(check({ ...good, phoneNumberIds: [], wabaId: "x", version: "1" })))
  assert.deepStrictEqual(
    problems.map(({ option }) => option),
    ["phoneNumberIds", "wabaId", "version"]
  )
})

it.effect("omitted options have Meta's values", () =>
  Effect.gen(function* () {
    const account = yield* Effect.fromResult(check({ ...good, phoneNumberIds: ["1", "2", "1"] }))
    assert.strictEqual(account.baseUrl, "https://graph.facebook.com/v25.0")
    assert.deepStrictEqual(account.phoneNumberIds, ["1", "2"])
    assert.strictEqual(account.perSecond, 160)
    const proxied = yield* Effect.fromResult(check({ ...good, apiUrl: "http://127.0.0.1:9/meta//", version: "v26.0" }))
    assert.strictEqual(proxied.baseUrl, "http://127.0.0.1:9/meta/v26.0")
  })
)

it("a template option is a name, or a name and a language", () => {
  assert.deepStrictEqual(WhatsApp.parseTemplate("login_code"), { name: "login_code", language: "en" })
  assert.deepStrictEqual(WhatsApp.parseTemplate(" login_code/en_US "), { name: "login_code", language: "en_US" })
  for (const text of ["", "/", "/en", "login_code/", "login code", "Login", "a/b/c", "a/en/", "a/EN", "../a"]) {
    assert.isNull(WhatsApp.parseTemplate(text), text)
  }
})
