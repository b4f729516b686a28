import type { Channel } from "@countersign/core/channel"
import { Smtp } from "@countersign/smtp"
import { SmtpSimulator, TwilioSimulator, WhatsAppSimulator } from "@countersign/testkit/simulators"
import { Twilio } from "@countersign/twilio"
import { WhatsApp } from "@countersign/whatsapp"
import { Effect, Exit, Redacted, Scope } from "effect"
import { FetchHttpClient } from "effect/http"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Client, email, phone, refused } from "./fixture/Client.ts"
import { memory, type Service } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"

type Fields = { readonly [name: string]: unknown }

const path = "/v1/dashboard/templates"
const base = "http://127.0.0.1/l"
const languages = { en: "Acme & Co", hi: "अक्मे <दुकान>" }

/** All providers simulated, and the service in this process. */
describe("a sent template", () => {
  const scope = Scope.makeUnsafe()
  let smtp: SmtpSimulator.SmtpSimulator
  let twilio: TwilioSimulator.TwilioSimulator
  let meta: WhatsAppSimulator.WhatsAppSimulator
  let service: Service
  /** Belongs to the first merchant, which owns the server's WhatsApp account. */
  let client: Client
  let channels: ReadonlyArray<Channel>

  const run = <A>(effect: Effect.Effect<A, unknown, Scope.Scope>) =>
    Effect.runPromise(Effect.orDie(Scope.provide(effect, scope)))

  beforeAll(async () => {
    smtp = await run(SmtpSimulator.make())
    twilio = await run(TwilioSimulator.make())
    meta = await run(
      WhatsAppSimulator.make({
        templates: [
          { name: "login_code", language: "en" },
          { name: "acme_code", language: "en" },
          { name: "acme_code", language: "hi" },
          {
            name: "signin_link",
            language: "en",
            category: "UTILITY",
            body: "Sign in to {{1}}.",
            button: `${base}/{{1}}`
          },
          {
            name: "acme_link",
            language: "en",
            category: "UTILITY",
            body: "Sign in to {{1}} within {{2}} min.",
            button: `${base}/{{1}}`
          }
        ]
      })
    )
    channels = await run(
      Effect.gen(function* () {
        const all: Array<Channel> = []
        all.push(
          ...(yield* Twilio.make({
            accountSid: twilio.accountSid,
            authToken: Redacted.make(twilio.authToken),
            from: "+15005550006",
            apiUrl: twilio.url
          })),
          yield* Smtp.make({ url: Redacted.make(smtp.url), from: "codes@acme.example" }),
          yield* WhatsApp.make({
            accessToken: Redacted.make(meta.accessToken),
            phoneNumberIds: meta.phoneNumberIds,
            wabaId: meta.wabaId,
            appSecret: Redacted.make(meta.appSecret),
            verifyToken: Redacted.make(meta.verifyToken),
            template: { name: "login_code", language: "en" },
            linkTemplate: { name: "signin_link", language: "en" },
            apiUrl: meta.url
          }).pipe(Effect.provide(FetchHttpClient.layer))
        )
        return all
      })
    )
    service = await memory({ channels })
    await run(meta.callbackTo(`${service.urls[0]}/v1/callbacks/whatsapp`))
    client = (await service.merchant()).live
  })
  /** The first merchant of a new service, and a second one. */
  const another = async () => {
    const fresh = await memory({ channels })
    await run(Effect.addFinalizer(() => Effect.promise(() => fresh.close())))
    await run(meta.callbackTo(`${fresh.urls[0]}/v1/callbacks/whatsapp`))
    return { owner: (await fresh.merchant()).live, stranger: (await fresh.merchant()).live }
  }
  afterAll(async () => {
    await service.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const create = async (fields: Fields): Promise<any> => {
    const { body, status, text } = await client.post(path, { name: "default", ...fields })
    assert.strictEqual(status, 201, text)
    return body
  }
  const preview = async (id: string, values: Fields): Promise<any> => {
    const { body, status, text } = await client.post(`${path}/${id}/preview`, { values })
    assert.strictEqual(status, 200, text)
    return body
  }
  const use = async (locale: "en" | "hi") => {
    assert.strictEqual((await client.settings({ locale, brand: languages[locale] })).status, 200)
  }
  const next = async <A>(all: Effect.Effect<ReadonlyArray<A>>, before: number): Promise<A> => {
    const found = await until(
      () => Effect.runPromise(all),
      ({ length }) => length > before,
      { what: "the message" }
    )
    return found[before]!
  }
  const count = async (all: Effect.Effect<ReadonlyArray<unknown>>) => (await Effect.runPromise(all)).length

  it.each(["en", "hi"] as const)("over SMS equals its preview exactly, in %s, with the sender id", async (locale) => {
    await use(locale)
    const body = locale === "en" ? "{{code}}: your {{brand}} code, {{minutes}} min." : "{{code}} आपका {{brand}} कोड है।"
    const { id } = await create({ channel: "SMS", locale, body, header: "ACMEIN" })
    const before = await count(twilio.ledger)
    await client.started({ channel: "SMS" })
    const sent = await next(twilio.ledger, before)
    const code = /\d{6}/.exec(sent.body)![0]
    const shown = await preview(id, { code })
    assert.strictEqual(shown.text, sent.body)
    assert.strictEqual(shown.encoding, locale === "en" ? "GSM-7" : "UCS-2")
    assert.strictEqual(sent.from, shown.header)
  })

  it.each(["en", "hi"] as const)("by email equals its preview exactly, in %s", async (locale) => {
    await use(locale)
    const subject = locale === "en" ? "{{code}} for {{brand}}" : "{{code}} {{brand}} के लिए"
    const html = `<!doctype html><html lang="${locale}"><body><p title="{{brand}}">{{brand}}: <b>{{code}}</b></p></body></html>`
    const { id } = await create({ channel: "EMAIL", locale, subject, body: `${subject}\n\n{{brand}}`, html })
    const before = await count(smtp.mails)
    await client.started({ identity: email(), identityType: "EMAIL" })
    const sent = await next(smtp.mails, before)
    const code = /\d{6}/.exec(sent.subject)![0]
    const shown = await preview(id, { code })
    const plain = (text: string | null) => text?.replaceAll("\r\n", "\n").replace(/\n$/, "")
    assert.strictEqual(sent.subject, shown.subject)
    assert.strictEqual(plain(sent.text), shown.text)
    assert.strictEqual(plain(sent.html), shown.html)
    assert.notInclude(sent.html, "<दुकान>")
  })

  it.each(["en", "hi"] as const)("over WhatsApp equals its preview, in %s", async (locale) => {
    await use(locale)
    const made = await create({ channel: "WHATSAPP", locale, whatsappName: "acme_code" })
    assert.deepInclude(made, { status: "APPROVED", whatsappLanguage: locale, findings: [] })
    const before = await count(meta.messages)
    await client.started({ channel: "WHATSAPP" })
    const sent = await next(meta.messages, before)
    assert.deepInclude(sent, { template: "acme_code", language: locale })
    const shown = await preview(made.id, { code: sent.code })
    assert.deepStrictEqual(shown.whatsapp, sent.payload["template"])
  })

  it("for links over WhatsApp has its own values, as its preview shows", async () => {
    await use("en")
    const body = "Sign in to {{brand}} within {{minutes}} min."
    const { id } = await create({ channel: "WHATSAPP", purpose: "LINK", whatsappName: "acme_link", body })
    const before = await count(meta.messages)
    await client.started({ channel: "WHATSAPP", mode: "MAGIC_LINK" })
    const sent = await next(meta.messages, before)
    const shown = await preview(id, { link: sent.url })
    assert.deepStrictEqual(shown.whatsapp, sent.payload["template"])
    assert.strictEqual(sent.text, "Sign in to Acme & Co within 5 min.")
  })

  it("that differs from WhatsApp's is refused with the rule", async () => {
    const refuses = async (fields: Fields, message: RegExp) => {
      const answer = await client.post(path, { name: "wrong", channel: "WHATSAPP", ...fields })
      refused(answer, "INVALID_TEMPLATE_CONFIG", "whatsappName")
      assert.match(answer.body.message, message)
    }
    await refuses({ whatsappName: "acme_link" }, /category at WhatsApp is UTILITY/)
    await refuses({ purpose: "LINK", whatsappName: "acme_code", body: "a {{brand}} b" }, /category at WhatsApp is AUTH/)
    await refuses(
      { purpose: "LINK", whatsappName: "acme_link" },
      /its text at WhatsApp has 2 placeholders, but ours has 1/
    )
    await refuses({ purpose: "MESSAGE", whatsappName: "acme_link", body: "a {{x}} b {{y}} c" }, /button/)
  })

  it("is submitted to WhatsApp, and used as soon as WhatsApp approves it", async () => {
    const { owner: other, stranger } = await another()
    const { body: made } = await other.post(path, { name: "default", channel: "WHATSAPP", whatsappName: "new_code" })
    const foreign = { name: "theirs", channel: "WHATSAPP", whatsappName: "new_code" }
    refused(await stranger.post(path, foreign), "INVALID_TEMPLATE_CONFIG", "whatsappName")
    assert.isUndefined(await run(meta.template("new_code", "en")))
    assert.strictEqual(made.status, "MISSING")
    assert.deepInclude(made.findings[0], { severity: "warning", field: "whatsappName" })
    const initiate = () => other.initiate({ channel: "WHATSAPP", identity: phone() })
    refused(await initiate(), "INVALID_TEMPLATE_CONFIG")
    const submitted = await other.send({ method: "POST", path: `${path}/${made.id}/submit` })
    assert.strictEqual(submitted.status, 200, submitted.text)
    assert.strictEqual(submitted.body.status, "PENDING")
    refused(await initiate(), "INVALID_TEMPLATE_CONFIG")
    const again = await other.send({ method: "POST", path: `${path}/${made.id}/submit` })
    refused(again, "PROVIDER_ERROR")
    assert.notInclude(again.text, meta.accessToken)
    const tell = (status: string, event: string) =>
      run(
        Effect.gen(function* () {
          yield* meta.setTemplate({ name: "new_code", language: "en", status })
          const value = {
            event,
            message_template_id: 12,
            message_template_name: "new_code",
            message_template_language: "en"
          }
          yield* meta.notify({ ...value, reason: "NONE" }, "message_template_status_update")
        })
      )
    await tell("APPROVED", "APPROVED")
    await until(initiate, ({ status }) => status === 200, { what: "the approval" })
    // A notice may concern another account's template: the service asks Meta, which reports no change.
    await run(
      meta.notify(
        { event: "PAUSED", message_template_name: "acme_code", message_template_language: "en" },
        "message_template_status_update"
      )
    )
    await tell("PAUSED", "PAUSED")
    await until(initiate, ({ body }) => body.errorCode === "INVALID_TEMPLATE_CONFIG", { what: "the pause" })
    assert.strictEqual((await stranger.initiate({ channel: "WHATSAPP" })).status, 200)
  })

  it("refused by WhatsApp affects no other merchant", async () => {
    const { owner: other, stranger } = await another()
    await run(meta.setTemplate({ name: "gone_code", language: "en" }))
    await other.post(path, { name: "default", channel: "WHATSAPP", whatsappName: "gone_code" })
    await run(meta.setTemplate({ name: "gone_code", language: "en", status: "PAUSED" }))
    const requestId = await other.started({ channel: "WHATSAPP" })
    const { body } = await other.settled(requestId)
    assert.deepInclude(body.deliveries[0], { deliveryStatus: "FAILED", providerCode: "132015" })
    assert.strictEqual((await stranger.initiate({ channel: "WHATSAPP" })).status, 200)
  })

  it("is saved while WhatsApp is unreachable, and not sent", async () => {
    const { owner: other } = await another()
    await run(meta.revoke(meta.accessToken))
    const { body, status, text } = await other.post(path, {
      name: "default",
      channel: "WHATSAPP",
      whatsappName: "acme_code"
    })
    assert.strictEqual(status, 201, text)
    assert.strictEqual(body.status, "UNKNOWN")
    assert.isTrue(
      body.findings.some(({ problem }: any) => /Meta says 190/.test(problem)),
      text
    )
    assert.notInclude(text, meta.accessToken)
    refused(await other.initiate({ channel: "WHATSAPP" }), "INVALID_TEMPLATE_CONFIG")
  })
})
