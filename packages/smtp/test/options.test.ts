import { Smtp } from "@countersign/smtp"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { parseFrom } from "../src/MailAddress.ts"
import { parseUrl } from "../src/SmtpUrl.ts"

describe("the URL", () => {
  it("says where the server is and how to speak to it", () => {
    assert.deepStrictEqual(Result.getOrThrow(parseUrl("smtp://acme%40x:p%3Aw@mail.example.com")), {
      host: "mail.example.com",
      port: 587,
      secure: false,
      requireTLS: true,
      login: { user: "acme@x", pass: "p:w" },
      name: null
    })
    const server = (url: string) => {
      const { host, port, requireTLS, secure } = Result.getOrThrow(parseUrl(url))
      return { host, port, requireTLS, secure }
    }
    assert.deepStrictEqual(server("smtps://mail.example.com"), {
      host: "mail.example.com",
      port: 465,
      secure: true,
      requireTLS: false
    })
    assert.deepStrictEqual(server("smtp://[::1]:25"), { host: "::1", port: 25, secure: false, requireTLS: true })
    assert.deepStrictEqual(server("smtp://127.0.0.1:1025?ignoreTLS=true"), {
      host: "127.0.0.1",
      port: 1025,
      secure: false,
      requireTLS: false
    })
  })

  it("is refused when it is not one, without being repeated", () => {
    const wrong = [
      "mail.example.com",
      "http://mail.example.com",
      "smtp://",
      "smtp://user@mail.example.com",
      "smtp://user:secret@mail.example.com/path",
      "smtp://user:secret@mail.example.com?tls.rejectUnauthorized=false",
      "smtp://user:secret@mail.example.com?ignoreTLS=yes",
      "smtp://user:secret%@mail.example.com"
    ]
    for (const url of wrong) {
      const error = Result.getOrThrow(Result.flip(parseUrl(url)))
      assert.strictEqual(error.option, "url", url)
      assert.notInclude(JSON.stringify(error) + error.message, "secret")
    }
  })

  it.effect("is refused when the channel is made", () =>
    Effect.gen(function* () {
      const url = yield* Effect.flip(Smtp.make({ url: Redacted.make("nonsense"), from: "codes@acme.example" }))
      const from = yield* Effect.flip(Smtp.make({ url: Redacted.make("smtp://mail.example.com"), from: "nonsense" }))
      assert.deepStrictEqual([url.option, from.option], ["url", "from"])
    })
  )
})

describe("the sender", () => {
  it("is an address, with or without a name", () => {
    const read = (from: string) => Result.getOrThrow(parseFrom(from))
    assert.deepStrictEqual(read("codes@acme.example"), { name: "", address: "codes@acme.example" })
    assert.deepStrictEqual(read("Acme <codes@acme.example>"), { name: "Acme", address: "codes@acme.example" })
    assert.deepStrictEqual(read('"Acme, \\"Inc\\"" <codes@acme.example>'), {
      name: 'Acme, "Inc"',
      address: "codes@acme.example"
    })
  })

  it("is nothing else", () => {
    for (const from of [
      "",
      "acme",
      "a@b.example, c@d.example",
      "Acme <>",
      "Acme <a@b.example> <c@d.example>",
      "A\r\nBcc: x <a@b.example>"
    ]) {
      assert.isTrue(Result.isFailure(parseFrom(from)), from)
    }
  })
})
