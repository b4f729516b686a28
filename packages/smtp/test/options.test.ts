import { Smtp } from "@countersign/smtp"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { parseFrom } from "../src/MailAddress.ts"
import { parseUrl } from "../src/SmtpUrl.ts"

describe("the URL of the mail server", () => {
  it("contains the host, the port and the encryption", () => {
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

  it("is refused if it is invalid, without being repeated", () => {
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
      assert.notInclude(Result.getOrThrow(Result.flip(parseUrl(url))), "secret", url)
    }
  })

  it.effect("is refused with all other problems when the channel is created", () =>
    Effect.gen(function* () {
      const options = { url: Redacted.make("smtp://acme:secret@/x"), from: "nonsense", maxConnections: 0 }
      const error = yield* Effect.flip(Smtp.make(options))
      assert.deepStrictEqual(
        error.problems.map(({ option }) => option),
        ["url", "from", "maxConnections"]
      )
      assert.notInclude(JSON.stringify(error) + error.message, "secret")
    })
  )
})

describe("the sender of a mail", () => {
  it("is an address, with or without a name", () => {
    const read = (from: string) => Result.getOrThrow(parseFrom(from))
    assert.deepStrictEqual(read("codes@acme.example"), { name: "", address: "codes@acme.example" })
    assert.deepStrictEqual(read("Acme <codes@acme.example>"), { name: "Acme", address: "codes@acme.example" })
    assert.deepStrictEqual(read('"Acme, \\"Inc\\"" <codes@acme.example>'), {
      name: 'Acme, "Inc"',
      address: "codes@acme.example"
    })
  })

  it("cannot be anything else", () => {
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
