import type { NewProviderTemplate, ProviderTemplates, TemplateAccount } from "@countersign/core/channel"
import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { statusOf } from "../src/templates.ts"
import { channelFor, message } from "./fixtures/channel.ts"

const theirs: TemplateAccount = { id: "206540352242922", groupId: "2", accessToken: Redacted.make("EAAGtheirs") }

const made = Effect.gen(function* () {
  const meta = yield* WhatsAppSimulator.make({
    templates: [
      ...Array.from({ length: 60 }, (_, n) => ({ name: `login_code_${n}`, language: "en" })),
      { name: "login_code", language: "hi", status: "PAUSED" },
      { name: "hello", language: "en", category: "MARKETING", body: "Hi {{1}}, {{2}} and {{1}} again" },
      { name: "link", language: "en", category: "UTILITY", body: "For {{1}}.", button: "https://example.com/l/{{1}}" }
    ]
  })
  yield* meta.addAccount({
    wabaId: "2",
    accessToken: "EAAGtheirs",
    phoneNumberIds: ["206540352242922"],
    templates: [{ name: "theirs", language: "en" }]
  })
  const channel = yield* channelFor(meta)
  return { meta, templates: channel.templates as ProviderTemplates }
})

it.effect("a template is found by name and language on any page, with its parameters", () =>
  Effect.gen(function* () {
    const { templates } = yield* made
    const look = (name: string, language: string, account: TemplateAccount = null) =>
      templates.look({ name, language }, account)
    assert.isTrue(templates.hasOwn)
    assert.isNull(yield* look("login_code", "en"))
    const code = { status: "PAUSED", category: "AUTHENTICATION", values: null, hasButton: null } as const
    assert.deepStrictEqual(yield* look("login_code", "hi"), code)
    assert.deepStrictEqual(yield* look("hello", "en"), {
      status: "APPROVED",
      category: "MARKETING",
      values: 2,
      hasButton: false
    })
    assert.deepInclude(yield* look("link", "en"), { values: 1, hasButton: true })
    assert.isNull(yield* look("theirs", "en"))
    assert.deepInclude(yield* look("theirs", "en", theirs), { status: "APPROVED" })
    assert.isNull(yield* look("hello", "en", theirs))
  })
)

it.effect("problems with Meta or an account are reported without the token", () =>
  Effect.gen(function* () {
    const { meta, templates } = yield* made
    const ask = (account: TemplateAccount) => Effect.flip(templates.look({ name: "a", language: "en" }, account))
    for (const groupId of ["../me", "", "9"]) assert.isString((yield* ask({ ...theirs!, groupId })).problem)
    yield* meta.revoke("EAAGtheirs")
    const { problem } = yield* ask(theirs)
    assert.include(problem, "190")
    assert.notInclude(problem, "EAAGtheirs")
    const channel = yield* channelFor(meta, { wabaId: undefined })
    assert.isFalse(channel.templates!.hasOwn)
    assert.isString((yield* Effect.flip(channel.templates!.look({ name: "a", language: "en" }, null))).problem)
  })
)

it.effect("templates for codes, links and messages are submitted in Meta's format", () =>
  Effect.gen(function* () {
    const { meta, templates } = yield* made
    const plain = { language: "en", body: null, examples: [], linkBase: null, validForSeconds: 5 }
    const all: ReadonlyArray<NewProviderTemplate> = [
      { ...plain, name: "code", purpose: "CODE" },
      {
        ...plain,
        name: "link_2",
        language: "hi",
        purpose: "LINK",
        body: "अब {{1}} में साइन इन करें।",
        examples: ["Acme"],
        linkBase: "https://example.com/l"
      },
      { ...plain, name: "promo", purpose: "MESSAGE", body: "Hello {{1}}!", examples: ["Asha"] }
    ]
    for (const template of all) {
      assert.deepStrictEqual(yield* templates.submit(template, null), { status: "PENDING" })
      const { language, name, purpose } = template
      const looked = yield* templates.look({ name, language }, null)
      assert.deepInclude(looked, { status: "PENDING" })
      const stored = yield* meta.template(name, language)
      const category = { CODE: "AUTHENTICATION", LINK: "UTILITY", MESSAGE: "MARKETING" }[purpose]
      assert.strictEqual(stored?.category, category)
    }
    assert.strictEqual((yield* meta.template("code", "en"))?.message_send_ttl_seconds, 30)
    assert.strictEqual((yield* meta.template("link_2", "hi"))?.button, "https://example.com/l/{{1}}")
    assert.include((yield* Effect.flip(templates.submit(all[0]!, null))).problem, "Meta says 100")
  })
)

it.effect("a message uses the merchant's own template, whose error does not affect the channel", () =>
  Effect.gen(function* () {
    const { meta } = yield* made
    const channel = yield* channelFor(meta)
    const template = { name: "login_code_7", language: "en", values: [] }
    yield* channel.send({ ...message(), template })
    const [sent] = yield* meta.messages
    assert.deepInclude(sent, { template: "login_code_7", code: "482913" })
    assert.deepStrictEqual(channel.templates!.shown({ ...message(), template }), sent!.payload["template"])
    const { reason } = yield* Effect.flip(channel.send({ ...message(), template: { ...template, name: "none" } }))
    assert.deepInclude(reason, { _tag: "Refused", because: "template" })
    assert.notProperty(reason, "template")
  })
)

it("an unknown value from Meta is not sent", () => {
  assert.strictEqual(statusOf("FLAGGED"), "APPROVED")
  for (const word of ["DISABLED", "LOCKED", "DELETED", "ARCHIVED", "NEW_WORD", "constructor", ""]) {
    assert.strictEqual(statusOf(word), "DISABLED", word)
  }
})
