import { Smtp } from "@countersign/smtp"
import { SmtpSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { linkMessage, message, notice } from "./fixtures.ts"

const delivered = Effect.fnUntraced(function* (
  words: Parameters<typeof message>[0] = {},
  from = "Acme <codes@acme.example>"
) {
  const server = yield* SmtpSimulator.make()
  const { send } = yield* Smtp.make({ url: Redacted.make(server.url), from })
  yield* send(message(words))
  const [seen] = yield* server.seen
  return { ...seen!, mail: seen!.mail! }
})

describe("a sent mail", () => {
  it.effect("has one recipient, one sender, and headers that suppress automatic replies", () =>
    Effect.gen(function* () {
      const { from, mail, to } = yield* delivered()
      const { "content-type": type, date, ...headers } = mail.headers
      assert.deepStrictEqual({ from, to }, { from: "codes@acme.example", to: "reader@mail.example" })
      assert.deepStrictEqual(headers, {
        from: ["Acme <codes@acme.example>"],
        to: ["reader@mail.example"],
        subject: ["482913 is your Example Shop code"],
        "message-id": ["<dlv_0123456789abcdefghjkmnpqrs@acme.example>"],
        "auto-submitted": ["auto-generated"],
        "x-auto-response-suppress": ["All"],
        "mime-version": ["1.0"]
      })
      assert.match(type?.[0] ?? "", /^multipart\/alternative/)
      assert.isFalse(Number.isNaN(Date.parse(date?.[0] ?? "")))
    })
  )

  it.effect("has the code in its text and its HTML, as given", () =>
    Effect.gen(function* () {
      for (const locale of ["en", "hi"]) {
        const given = message({ locale })
        const { mail } = yield* delivered({ locale })
        assert.strictEqual(mail.subject, Redacted.value(given.subject))
        assert.strictEqual(mail.text?.trimEnd(), Redacted.value(given.text))
        assert.strictEqual(mail.html?.trimEnd(), Redacted.value(given.html!).trimEnd())
        assert.include(mail.text ?? "", "482913")
      }
    })
  )

  it.effect("has the complete link in its text and twice in its HTML, at any line length", () =>
    Effect.gen(function* () {
      for (const locale of ["en", "hi"]) {
        const given = linkMessage(`https://verify.example.com/l/${"env_1.=3D".repeat(30)}`, locale)
        const server = yield* SmtpSimulator.make()
        const { send } = yield* Smtp.make({ url: Redacted.make(server.url), from: "codes@acme.example" })
        yield* send(given)
        const mail = (yield* server.seen)[0]!.mail!
        const url = Redacted.value(given.url)
        assert.strictEqual(mail.subject, Redacted.value(given.subject))
        assert.strictEqual(mail.text?.trimEnd(), Redacted.value(given.text))
        assert.strictEqual(mail.html?.trimEnd(), Redacted.value(given.html!).trimEnd())
        assert.include(mail.text?.split("\n") ?? [], url)
        assert.strictEqual(mail.html?.split(`href="${url}"`).length, 3)
      }
    })
  )

  it.effect("is plain text for a notice, with its subject on one line", () =>
    Effect.gen(function* () {
      const server = yield* SmtpSimulator.make()
      const channel = yield* Smtp.make({ url: Redacted.make(server.url), from: "codes@acme.example" })
      assert.include(channel.supports.kinds ?? [], "Notice")
      yield* channel.send(notice)
      const { mail, to } = (yield* server.seen)[0]!
      assert.strictEqual(to, "agent@mail.example")
      assert.match(mail!.subject, /^3 ग्राहक – Example Shop\s+Bcc: other@example\.com$/)
      assert.isUndefined(mail!.headers["bcc"])
      assert.strictEqual(mail!.text?.trimEnd(), Redacted.value(notice.text))
      assert.isNull(mail!.html ?? null)
      assert.match(mail!.headers["content-type"]?.[0] ?? "", /^text\/plain/)
    })
  )

  it.effect("shows the merchant's brand if the sender has no name", () =>
    Effect.gen(function* () {
      const plain = yield* delivered({ brand: "Søster & Co" }, "codes@acme.example")
      assert.deepStrictEqual(plain.mail.headers["from"], ["Søster & Co <codes@acme.example>"])
      const hostile = yield* delivered(
        { brand: 'Bank" <evil@e.example>\r\nBcc: evil@e.example\r\n' },
        "codes@acme.example"
      )
      assert.strictEqual(hostile.from, "codes@acme.example")
      assert.strictEqual(hostile.to, "reader@mail.example")
      assert.isUndefined(hostile.mail.headers["bcc"])
      assert.match(hostile.mail.headers["from"]?.[0] ?? "", /<codes@acme\.example>$/)
    })
  )

  it.effect("is sent to an address in any script, if the server supports it", () =>
    Effect.gen(function* () {
      const { to } = yield* delivered({ to: "reader@bücher.example" })
      assert.include(["reader@bücher.example", "reader@xn--bcher-kva.example"], to)
    })
  )
})
