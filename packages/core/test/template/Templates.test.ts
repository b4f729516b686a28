import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Caller, SenderIds, Templates } from "../../src/index.ts"
import { AuditStore, TemplateStore } from "../../src/index.storage.ts"
import { accepted, recordingChannel, refused } from "../fixtures/RecordingChannel.ts"
import { indian, makeProcess, makeWorld, otp, until, withSettings, type World } from "../fixtures/World.ts"
import type { TemplateFields } from "../../src/message/template/templateFields.ts"

const templatesOf = (w: Pick<World, "services">) => Context.get(w.services, Templates)
const senderIdsOf = (w: Pick<World, "services">) => Context.get(w.services, SenderIds)

const sms: TemplateFields = { name: "default", channel: "SMS", body: "{{code}} for {{brand}}" }

/** Audit entries of one millisecond have no order. */
const later = TestClock.adjust("1 millis")

const failure = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

const audited = (w: World) =>
  Effect.map(
    Context.get(w.storage, AuditStore).list({ merchantId: w.live.merchantId }, { after: null, limit: 100 }),
    (entries) => entries.filter(({ action }) => /^(template|sender_id)\./.test(action)).toReversed()
  )

describe("a merchant's templates", () => {
  it.effect("are created, changed and removed, each with its actor audited", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld()
      const templates = templatesOf(w)
      const made = yield* templates.create(w.live, { ...sms, locale: "en" })
      assert.deepInclude(made.head, { version: 1, name: "default", channel: "SMS", purpose: "CODE", state: null })
      assert.deepStrictEqual(made.findings, [])
      const { id } = made.head
      assert.deepStrictEqual(yield* templates.get(w.live, id), made)
      yield* later
      const same = yield* templates.change(w.live, id, { name: "Default" })
      assert.strictEqual(same.head.version, 1)
      yield* later
      const next = yield* templates.change(w.live, id, { body: "{{code}}: {{brand}}", header: "ACMEIN" })
      assert.strictEqual(next.head.version, 2)
      yield* later
      assert.strictEqual((yield* templates.change(w.live, id, { header: null })).content.header, null)
      assert.strictEqual(yield* failure(templates.change(w.live, id, { channel: "RCS" })), "InvalidField")
      assert.strictEqual(yield* failure(templates.change(w.live, id, { body: null })), "IncompleteTemplate")
      assert.strictEqual(yield* failure(templates.change(w.live, id, { body: "no" })), "InvalidTemplate")
      yield* later
      yield* templates.remove(w.live, id)
      for (const call of [templates.get(w.live, id), templates.remove(w.live, id), templates.change(w.live, id, {})]) {
        assert.strictEqual(yield* failure(call), "UnknownTemplate")
      }
      const entries = yield* audited(w)
      assert.deepStrictEqual(
        entries.map(({ action }) => action),
        ["template.created", "template.changed", "template.changed", "template.changed", "template.removed"]
      )
      assert.deepStrictEqual(entries[2], {
        ...entries[2]!,
        actor: w.live.actor,
        environment: w.live.environment,
        target: { kind: "template", id },
        from: { body: "{{code}} for {{brand}}", header: null, version: 1 },
        to: { body: "{{code}}: {{brand}}", header: "ACMEIN", version: 2 }
      })
    })
  )

  it.effect("have a unique name for each channel, purpose and locale, ignoring case", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld()
      const templates = templatesOf(w)
      const first = yield* templates.create(w.live, sms)
      assert.strictEqual(yield* failure(templates.create(w.live, { ...sms, name: " DEFAULT" })), "TemplateTaken")
      yield* templates.create(w.live, { ...sms, locale: "en" })
      const hindi = yield* templates.create(w.live, { ...sms, locale: "hi" })
      yield* templates.create(w.live, { ...sms, channel: "RCS" })
      yield* templates.create(w.live, { ...sms, purpose: "LINK", body: "{{link}}" })
      yield* templates.create(w.test, sms)
      assert.strictEqual(yield* failure(templates.change(w.live, hindi.head.id, { locale: "en" })), "TemplateTaken")
      yield* templates.remove(w.live, first.head.id)
      yield* templates.create(w.live, sms)
      const race = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => Effect.exit(templates.create(w.live, { ...sms, name: "race" })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(race.filter(({ _tag }) => _tag === "Success").length, 1)
    })
  )

  it.effect("number at most 300, and belong to their environment", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld()
      const templates = templatesOf(w)
      for (let n = 0; n < 300; n++) yield* templates.create(w.live, { ...sms, name: `n${n}` })
      assert.strictEqual(yield* failure(templates.create(w.live, { ...sms, name: "one more" })), "InvalidField")
      const [first] = yield* templates.list(w.live, { after: null, limit: 1 })
      const { id } = first!.head
      assert.deepStrictEqual(yield* templates.list(w.test, { after: null, limit: 9 }), [])
      const calls: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
        templates.get(w.test, id),
        templates.change(w.test, id, { body: "{{code}}" }),
        templates.remove(w.test, id),
        templates.previewOf(w.test, id, {}),
        templates.submit(w.test, id),
        templates.get(w.live, "tpl_x"),
        templates.get(w.live, "\0")
      ]
      for (const call of calls) {
        assert.strictEqual(yield* failure(call), "UnknownTemplate")
      }
    })
  )
})

describe("sender ids", () => {
  it.effect("are registered once, and then restrict initiates and templates", () =>
    Effect.gen(function* () {
      const { channel, received } = recordingChannel("SMS")
      const w = yield* makeWorld({ channels: [channel] })
      const senderIds = senderIdsOf(w)
      yield* w.verifications.initiate(w.live, otp(indian, { header: "OTHERS" }))
      yield* senderIds.add(w.live, "ACMEIN")
      assert.strictEqual(yield* failure(senderIds.add(w.live, "ACMEIN")), "SenderIdTaken")
      for (const header of ["ACME", "acme12", "", null, "АСМЕСО"]) {
        assert.strictEqual(yield* failure(senderIds.add(w.live, header)), "InvalidField", String(header))
      }
      assert.strictEqual(
        yield* failure(w.verifications.initiate(w.live, otp(indian, { header: "OTHERS" }))),
        "InvalidField"
      )
      yield* w.verifications.initiate(w.test, otp(indian, { header: "OTHERS" }))
      yield* w.verifications.initiate(w.live, otp(indian, { header: "ACMEIN" }))
      assert.strictEqual(yield* failure(templatesOf(w).create(w.live, { ...sms, header: "OTHERS" })), "InvalidTemplate")
      yield* templatesOf(w).create(w.live, { ...sms, header: "ACMEIN" })
      yield* later
      yield* senderIds.add(w.live, "SECOND")
      yield* later
      yield* senderIds.remove(w.live, "ACMEIN")
      assert.strictEqual(yield* failure(senderIds.remove(w.live, "ACMEIN")), "UnknownSenderId")
      assert.strictEqual(yield* failure(senderIds.remove(w.live, "\0")), "UnknownSenderId")
      const unusable = yield* Effect.flip(w.verifications.initiate(w.live, otp("+91 98765 43211")))
      assert.deepInclude(unusable, { _tag: "TemplateUnusable", fault: "INVALID" })
      yield* until(Effect.sync(() => received.length > 0))
      assert.deepStrictEqual(
        (yield* audited(w))
          .map(({ action, target: { id } }) => `${action} ${id}`)
          .filter((deed) => deed.startsWith("sender")),
        ["sender_id.added ACMEIN", "sender_id.added SECOND", "sender_id.removed ACMEIN"]
      )
    })
  )
})

const two = (first = [accepted]) => {
  const one = recordingChannel("SMS", first)
  const other = recordingChannel("WHATSAPP")
  return { one, other, channels: [one.channel, other.channel] }
}

const words = (received: ReadonlyArray<{ readonly text: string; readonly code: string }>) =>
  received.map(({ code, text }) => text.replace(code, "#"))

describe("the template version of a verification", () => {
  it.effect("is the one from its start, on a resend too; a new verification uses the new version", () =>
    Effect.gen(function* () {
      const { channels, one } = two()
      const w = yield* makeWorld({ channels })
      const templates = templatesOf(w)
      const { head } = yield* templates.create(w.live, sms)
      const begun = yield* w.verifications.initiate(w.live, otp(indian))
      assert.deepStrictEqual(begun.verification.texts, { SMS: { id: head.id, version: 1 } })
      yield* templates.change(w.live, head.id, { body: "New: {{code}}" })
      yield* w.verifications.initiate(w.live, otp(indian))
      yield* w.verifications.initiate(w.live, otp("+91 98765 43211"))
      yield* until(Effect.sync(() => one.received.length === 3))
      assert.deepStrictEqual(words(one.received).toSorted(), ["# for Acme", "# for Acme", "New: #"])
      yield* templates.remove(w.live, head.id)
      yield* w.verifications.initiate(w.live, otp(indian))
      const builtIn = yield* w.verifications.initiate(w.live, otp("+91 98765 43212"))
      assert.isUndefined(builtIn.verification.texts)
      yield* until(Effect.sync(() => one.received.length === 5))
      assert.strictEqual(words(one.received).filter((text) => text === "# for Acme").length, 3)
      assert.isTrue(words(one.received).some((text) => text.startsWith("# is your Acme code")))
    })
  )

  it.effect("stays built-in when a template is created later, except on a channel that is new to it", () =>
    Effect.gen(function* () {
      const { channels, one, other } = two()
      const w = yield* makeWorld({ channels })
      yield* w.verifications.initiate(w.live, otp(indian))
      yield* templatesOf(w).create(w.live, sms)
      yield* templatesOf(w).create(w.live, {
        name: "default",
        channel: "WHATSAPP",
        whatsappName: "login_code",
        body: "Only to look at: {{code}}"
      })
      yield* w.verifications.initiate(w.live, otp(indian))
      const again = yield* w.verifications.initiate(w.live, otp(indian, { channel: "WHATSAPP" }))
      assert.deepStrictEqual(Object.keys(again.verification.texts ?? {}), ["WHATSAPP"])
      yield* until(Effect.sync(() => one.received.length === 2 && other.received.length === 1))
      for (const text of words(one.received)) assert.isTrue(text.startsWith("# is your Acme code"), text)
      assert.deepStrictEqual(words(other.received), ["Only to look at: #"])
    })
  )

  it.effect("of the fallback channel is fixed at the start", () =>
    Effect.gen(function* () {
      const { channels, other } = two([refused("SMS")])
      const w = yield* makeWorld({ channels })
      const live = withSettings(w.live, { fallbackChannel: "WHATSAPP" })
      const whatsapp = { name: "default", channel: "WHATSAPP", whatsappName: "login_code" }
      const { head } = yield* templatesOf(w).create(live, { ...whatsapp, body: "First {{code}}" })
      const idle = yield* makeProcess(w.storage, { channels, idle: true })
      yield* idle.verifications.initiate(live, otp(indian))
      yield* templatesOf(w).change(live, head.id, { body: "Second {{code}}" })
      yield* TestClock.adjust("10 seconds")
      yield* until(Effect.sync(() => other.received.length === 1))
      assert.deepStrictEqual(words(other.received), ["First #"])
    })
  )

  it.effect("is the one requested by DLT id or name, also on a resend", () =>
    Effect.gen(function* () {
      const { channels, one } = two()
      const w = yield* makeWorld({ channels })
      const templateId = "1107160000000000001"
      yield* w.verifications.initiate(w.live, otp("+91 98765 43219", { templateId: "9".repeat(19) }))
      yield* templatesOf(w).create(w.live, sms)
      yield* templatesOf(w).create(w.live, { ...sms, name: "dlt", dltTemplateId: templateId, body: "DLT {{code}}" })
      const unknown = otp(indian, { templateId: "9".repeat(19) })
      assert.deepInclude(yield* Effect.flip(w.verifications.initiate(w.live, unknown)), { fault: "NOT_FOUND" })
      yield* w.verifications.initiate(w.live, otp(indian))
      assert.deepInclude(yield* Effect.flip(w.verifications.initiate(w.live, unknown)), { fault: "NOT_FOUND" })
      yield* w.verifications.initiate(w.live, otp(indian, { templateId }))
      yield* w.verifications.initiate(w.live, otp(indian))
      yield* until(Effect.sync(() => one.received.length === 4))
      assert.deepStrictEqual(words(one.received).slice(1), ["# for Acme", "DLT #", "DLT #"])
    })
  )

  it.effect("is current in another process within 3 seconds, and never a removed one for new verifications", () =>
    Effect.gen(function* () {
      const { channels, one } = two()
      const w = yield* makeWorld({ channels, idle: true })
      const other = yield* makeProcess(w.storage, { channels })
      const ask = (n: number) =>
        Effect.map(
          other.verifications.initiate(w.live, otp(`+91 98765 4300${n}`)),
          ({ verification }) => verification.texts
        )
      assert.isUndefined(yield* ask(0))
      const { head } = yield* templatesOf(w).create(w.live, sms)
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* ask(1), { SMS: { id: head.id, version: 1 } })
      yield* templatesOf(w).change(w.live, head.id, { body: "{{code}} 2" })
      assert.deepStrictEqual(yield* ask(2), { SMS: { id: head.id, version: 1 } })
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* ask(3), { SMS: { id: head.id, version: 2 } })
      yield* templatesOf(w).remove(w.live, head.id)
      yield* TestClock.adjust("3 seconds")
      assert.isUndefined(yield* ask(4))
      yield* until(Effect.sync(() => one.received.length === 5))
      assert.include(words(one.received), "# 2")
    })
  )

  it.effect("is read from memory, without a storage call", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ idle: true })
      let asked = 0
      const store = Context.get(w.storage, TemplateStore)
      const counting = Context.add(w.storage, TemplateStore, {
        ...store,
        heads: (environment: string) => Effect.suspend(() => (asked++, store.heads(environment)))
      })
      const process = yield* makeProcess(counting, { idle: true })
      for (let n = 0; n < 50; n++) yield* process.verifications.initiate(w.live, otp(`+91 98765 430${10 + n}`))
      assert.strictEqual(asked, 1)
    })
  )
})

describe("the order in which initiate refuses a request", () => {
  it.effect("is the header first, then limits, then the template, then the provider", () =>
    Effect.gen(function* () {
      const { channels } = two()
      const w = yield* makeWorld({ channels, idle: true })
      yield* senderIdsOf(w).add(w.live, "ACMEIN")
      yield* templatesOf(w).create(w.live, { ...sms, body: "{{code}}\n\n@{{domain}} #{{code}}" })
      const live: Caller = withSettings(w.live, { hourlyLimit: 1 })
      const wrong = otp(indian, { header: "OTHERS", templateId: "9".repeat(19) })
      const of = (request: typeof wrong) =>
        Effect.map(Effect.flip(w.verifications.initiate(live, request)), (error) =>
          error._tag === "TemplateUnusable" ? error.fault : error._tag
        )
      assert.strictEqual(yield* of(wrong), "InvalidField")
      assert.strictEqual(yield* of({ ...wrong, header: "ACMEIN" }), "NOT_FOUND")
      assert.strictEqual(yield* of(otp(indian)), "INCOMPLETE")
      const ok = withSettings(live, { domain: "example.com" })
      const { verification } = yield* w.verifications.initiate(ok, otp(indian))
      yield* w.verifications.verify(ok, { requestId: verification.id, otp: w.codeOf(verification) })
      assert.strictEqual(yield* of({ ...wrong, header: null }), "RateLimited")
    })
  )
})

describe("a template preview", () => {
  it.effect("shows the message as sent, in English and Hindi", () =>
    Effect.gen(function* () {
      const { channels, one } = two()
      const w = yield* makeWorld({ channels })
      const texts = { en: "{{code}} is your {{brand}} code", hi: "{{code}} आपका {{brand}} कोड है" }
      for (const [locale, body] of Object.entries(texts)) {
        yield* w.merchants.changeSettings(w.live, { locale, brand: locale === "en" ? "Acme & Co" : "अक्मे" })
        const live = yield* w.merchants.authenticate(w.keys.live.clientId, w.keys.live.clientSecret)
        const fields = { ...sms, locale, body }
        const before = yield* templatesOf(w).preview(live, fields, { identity: indian })
        assert.match(before.text ?? "", /^XXXXXX /)
        assert.deepInclude(before, { to: "+919876543210" })
        assert.deepInclude(before.length, { encoding: locale === "en" ? "GSM-7" : "UCS-2", segments: 1 })
        const { head } = yield* templatesOf(w).create(live, fields)
        assert.deepStrictEqual(yield* templatesOf(w).previewOf(live, head.id, { identity: indian }), before)
        const sent = one.received.length + 1
        yield* w.verifications.initiate(live, otp(locale === "en" ? indian : "+91 98765 43211"))
        yield* until(Effect.sync(() => one.received.length === sent))
        const { code, text } = one.received.at(-1)!
        assert.strictEqual((yield* templatesOf(w).previewOf(live, head.id, { values: { code } })).text, text)
      }
    })
  )

  it.effect("is refused for invalid or missing fields, and reports all other problems", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ idle: true })
      const templates = templatesOf(w)
      assert.strictEqual(yield* failure(templates.preview(w.live, { channel: "sms" }, {})), "InvalidField")
      assert.strictEqual(yield* failure(templates.preview(w.live, { channel: "SMS" }, {})), "IncompleteTemplate")
      assert.strictEqual(yield* failure(templates.preview(w.live, sms, { identity: "abc" })), "InvalidField")
      const long = { values: { brand: "x".repeat(2_001) } }
      assert.strictEqual(yield* failure(templates.preview(w.live, sms, long)), "InvalidField")
      const { findings, text } = yield* templates.preview(w.live, { channel: "SMS", body: "{{name}}" }, {})
      assert.strictEqual(text, "{{name}}")
      assert.isTrue(findings.some(({ severity }) => severity === "error"))
      const mail = { channel: "EMAIL", subject: "{{code}}", body: "{{code}}", html: "<b>{{brand}}: {{code}}</b>" }
      const { html, subject } = yield* templates.preview(w.live, mail, {
        values: { brand: "<i>", code: "1\r\nBcc: x" }
      })
      assert.strictEqual(html, "<b>&lt;i&gt;: 1\r\nBcc: x</b>")
      assert.strictEqual(subject, "1 Bcc: x")
      const message = { channel: "SMS", purpose: "MESSAGE", body: "Hi {{first_name}}" }
      assert.strictEqual((yield* templates.preview(w.live, message, {})).text, "Hi first_name")
      assert.strictEqual(
        (yield* templates.preview(w.live, message, { values: { first_name: "Asha" } })).text,
        "Hi Asha"
      )
    })
  )
})
