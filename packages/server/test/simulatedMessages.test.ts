import { SmtpSimulator, TwilioSimulator, WhatsAppSimulator } from "@countersign/testkit/simulators"
import { Smtp } from "@countersign/smtp"
import { Twilio } from "@countersign/twilio"
import { Effect, Redacted } from "effect"
import { assert, it } from "vitest"
import { simulatedMessages } from "../src/outbox/simulatedMessages.ts"

const linkMessage = (link: string) =>
  ({
    _tag: "Link",
    deliveryId: "dlv_1",
    reference: "env_1.ver_1.dlv_1",
    brand: "Acme",
    locale: "en",
    subject: Redacted.make("Sign in to Acme"),
    text: Redacted.make(`Sign in:\n${link}`),
    html: null,
    url: Redacted.make(link),
    token: Redacted.make(link.slice(link.lastIndexOf("/") + 1)),
    validForSeconds: 300,
    expiresAt: 300_000,
    options: {}
  }) as const

const shows = Effect.gen(function* () {
  const templates = [
    {
      name: "signin_link",
      language: "en",
      category: "UTILITY",
      body: "Press to approve your sign-in to {{1}}.",
      button: "http://localhost:8080/l/{{1}}"
    },
    { name: "order_update", language: "en", category: "UTILITY", body: "{{1}} is on its way" }
  ]
  const whatsapp = yield* WhatsAppSimulator.make({ templates, script: WhatsAppSimulator.scripts.silent })
  const twilio = yield* TwilioSimulator.make({})
  const smtp = yield* SmtpSimulator.make({})
  yield* whatsapp.deliver([yield* whatsapp.letter({ userId: "IN.1A2b3C", text: "Hi" })])
  const send = (content: object) =>
    Effect.promise(async () => {
      const { status } = await fetch(`${whatsapp.url}/v25.0/${whatsapp.phoneNumberIds[0]}/messages`, {
        method: "POST",
        headers: { authorization: `Bearer ${whatsapp.accessToken}`, "content-type": "application/json" },
        body: JSON.stringify({ messaging_product: "whatsapp", ...content })
      })
      assert.strictEqual(status, 200)
    })
  yield* send({ recipient: "IN.1A2b3C", type: "text", text: { body: "Hello <b>you</b>" } })
  const parameters = [{ type: "text", text: "Your saree" }]
  yield* send({
    to: "+919812345678",
    type: "template",
    template: { name: "order_update", language: { code: "en" }, components: [{ type: "body", parameters }] }
  })
  yield* send({
    to: "+919812345678",
    type: "template",
    template: {
      name: "signin_link",
      language: { code: "en" },
      components: [
        { type: "body", parameters: [{ type: "text", text: "Acme" }] },
        { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: "env_1.x1234y.z" }] }
      ]
    }
  })
  const [sms] = yield* Twilio.make({
    accountSid: twilio.accountSid,
    authToken: Redacted.make(twilio.authToken),
    apiUrl: twilio.url,
    from: "+15005550006"
  })
  const mail = yield* Smtp.make({ url: Redacted.make(smtp.url), from: "codes@example.com" })
  const link = "http://localhost:8080/l/env_1.x1234y.z"
  yield* sms!.send({ ...linkMessage(link), to: "+919812345678" })
  yield* mail.send({ ...linkMessage(link), to: "asha@example.com" })
  const shown = yield* simulatedMessages({ twilio, whatsapp, smtp, takenAt: () => 0 })
  assert.sameDeepMembers(
    shown.map(({ channel, code, text, to, url }) => [channel, to, text.trimEnd(), code, url]),
    [
      ["WHATSAPP", "IN.1A2b3C", "Hello <b>you</b>", null, null],
      ["WHATSAPP", "+919812345678", "Your saree is on its way", null, null],
      ["WHATSAPP", "+919812345678", "Press to approve your sign-in to Acme.", null, link],
      ["SMS", "+919812345678", `Sign in:\n${link}`, null, link],
      ["EMAIL", "asha@example.com", `Sign in:\n${link}`, null, link]
    ]
  )
})

it("the outbox shows replies and links as the customer sees them, also for customers with a hidden number", () =>
  Effect.runPromise(Effect.scoped(shows)))
