import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Campaigns, type Caller, Leads, Numbers, OptOuts, Templates } from "../../src/index.ts"
import type { Channel } from "../../src/index.channel.ts"
import { noRecords, type Storage, TemplateStore } from "../../src/index.storage.ts"
import { days, minutes } from "../../src/foundation/time/Instant.ts"
import { inboxChannel, makeInbox, ownNumber, wrote } from "../fixtures/InboxWorld.ts"
import { indian, makeStorage, otp, until } from "../fixtures/World.ts"

const phone = "919876543210"

/** A WhatsApp whose own account has every template. */
const makeChannel = () => {
  const asked: Array<string> = []
  const played = inboxChannel()
  const channel: Channel = {
    ...played.channel,
    templates: {
      hasOwn: true,
      look: ({ name }) =>
        Effect.sync(() => {
          asked.push(name)
          const category = name.startsWith("code") ? "AUTHENTICATION" : "UTILITY"
          return { status: "APPROVED" as const, category, values: null, hasButton: null }
        }),
      submit: ({ name }) =>
        Effect.sync(() => {
          asked.push(name)
          return { status: "PENDING" as const }
        }),
      shown: () => ({})
    }
  }
  return { ...played, channel, asked }
}

const sale = {
  name: "Opening sale",
  channel: "WHATSAPP",
  purpose: "MESSAGE",
  whatsappName: "sale",
  whatsappLanguage: "en"
}
const saleOf = { ...sale, body: "Your refund is at {{link_of_it}} now." }
const csv = "phone,link_of_it\n+919876500001,x"
const code = { name: "default", channel: "WHATSAPP", whatsappName: "code", whatsappLanguage: "en" }

/** The first merchant, who owns the server's account, and a later merchant. */
const makeOwners = Effect.fnUntraced(function* (options: { readonly idle?: boolean } = {}) {
  const played = makeChannel()
  const world = yield* makeInbox({ channels: [played.channel], ...options })
  // Ids are ordered by time, so the first merchant is the older one.
  yield* TestClock.adjust("1 second")
  const keys = yield* Effect.orDie(world.merchants.create("Mallory"))
  const stranger = yield* Effect.orDie(world.merchants.authenticate(keys.live.clientId, keys.live.clientSecret))
  const of = (services: typeof world.services) => ({
    leads: Context.get(services, Leads),
    campaigns: Context.get(services, Campaigns),
    templates: Context.get(services, Templates),
    optOuts: Context.get(services, OptOuts),
    numbers: Context.get(services, Numbers)
  })
  const leadOf = (caller: Caller) =>
    Effect.map(Effect.orDie(world.leads.create(caller, { phone: `+${phone}` })), ({ lead }) => lead.id)
  return {
    ...world,
    ...of(world.services),
    sent: played.sent,
    reports: played.reports,
    asked: played.asked,
    channel: played.channel,
    stranger,
    leadOf
  }
})

/** Gives a stranger a template of the server's own account, as earlier versions allowed. */
const plant = (storage: Context.Context<Storage>, from: Caller, to: Caller) =>
  Effect.gen(function* () {
    const store = Context.get(storage, TemplateStore)
    for (const head of yield* store.heads(from.environment)) {
      const content = yield* store.content(from.environment, head.id, head.version)
      yield* store.commit({ ...noRecords, head: { ...head, environment: to.environment, revision: 0 }, content })
    }
  })

describe("templates of the server's own WhatsApp account", () => {
  it.effect("are sent and registered by its owner environment, and by no other on any path", () =>
    Effect.gen(function* () {
      const w = yield* makeOwners()
      const made = yield* w.templates.create(w.live, saleOf)
      yield* w.templates.create(w.live, code)
      yield* plant(w.storage, w.live, w.stranger)
      const { id } = made.head
      const campaign = { name: "c", channel: "WHATSAPP", template: id, csv }
      const paths = (caller: Caller, lead: number) => ({
        "register a template": w.templates.create(caller, { ...saleOf, name: "Another" }),
        "change a template": w.templates.change(caller, id, { whatsappName: "sale_2" }),
        "submit a template": w.templates.submit(caller, id),
        "reply by a name at WhatsApp": w.leads.reply(caller, lead, { template: "refund/en", values: ["x"] }),
        "reply by the id of a template of ours": w.leads.reply(caller, lead, { template: id, values: ["x"] }),
        "look what a campaign would cost": w.campaigns.dryRun(caller, campaign),
        "start a campaign": w.campaigns.create(caller, campaign, null),
        "send a code with a template of ours": w.verifications.initiate(caller, otp(indian, { channel: "WHATSAPP" }))
      })
      const strangers = paths(w.stranger, yield* w.leadOf(w.stranger))
      const askedBefore = w.asked.length
      for (const [name, path] of Object.entries(strangers)) {
        const failure = yield* Effect.flip(path as Effect.Effect<unknown, { readonly _tag: string }>)
        assert.include(JSON.stringify(failure), "connect your own number", name)
      }
      yield* TestClock.adjust("2 minutes")
      yield* w.templates.get(w.stranger, id)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual([w.sent.length, w.asked.length], [0, askedBefore])

      const lead = yield* w.leadOf(w.live)
      for (const [name, path] of Object.entries(paths(w.live, lead))) {
        // A submitted template waits for its approval.
        if (name.startsWith("submit")) continue
        assert.strictEqual((yield* Effect.exit(path as Effect.Effect<unknown>))._tag, "Success", name)
      }
      yield* TestClock.adjust("1 minute")
      assert.sameMembers([...new Set(w.sent.map(({ _tag }) => _tag))], ["Template", "Code"])
    })
  )

  it.effect("are not sent once another environment owns the account, and waiting messages fail", () =>
    Effect.gen(function* () {
      const w = yield* makeOwners({ idle: true })
      yield* w.templates.create(w.live, saleOf)
      yield* w.templates.create(w.live, code)
      const lead = yield* w.leadOf(w.live)
      const reply = yield* w.leads.reply(w.live, lead, { template: "Opening sale", values: ["x"] })
      const { campaign } = yield* w.campaigns.create(
        w.live,
        { name: "c", channel: "WHATSAPP", template: "Opening sale", csv },
        null
      )
      const { verification } = yield* w.verifications.initiate(w.live, otp(indian, { channel: "WHATSAPP" }))
      const token = Redacted.make("token")
      yield* w.numbers.connect(w.stranger, { phoneNumberId: ownNumber, wabaId: "1", accessToken: token })
      yield* w.another({ storage: w.storage, channels: [w.channel] })
      yield* TestClock.adjust("10 seconds")
      const isSettled = Effect.gen(function* () {
        const { items } = yield* Effect.orDie(w.leads.messages(w.live, lead, {}))
        const { status } = (yield* Effect.orDie(w.campaigns.get(w.live, campaign.id))).campaign
        const sent = yield* Effect.orDie(w.verifications.status(w.live, { requestId: verification.id }))
        return [...items, ...sent.deliveries].every((one) => one.status === "FAILED") && status === "PAUSED"
      })
      yield* until(isSettled)
      const { items } = yield* w.leads.messages(w.live, lead, {})
      assert.deepInclude(
        items.find(({ id }) => id === reply.id),
        { status: "FAILED", error: "template_not_yours" }
      )
      assert.strictEqual((yield* w.campaigns.get(w.live, campaign.id)).campaign.status, "PAUSED")
      const { deliveries } = yield* w.verifications.status(w.live, { requestId: verification.id })
      assert.deepStrictEqual(
        deliveries.map(({ providerCode }) => providerCode),
        ["template_not_yours"]
      )
      assert.deepStrictEqual(w.sent, [])
    })
  )

  it.effect("do not restrict a merchant with a connected number, or the built-in codes", () =>
    Effect.gen(function* () {
      const w = yield* makeOwners()
      yield* w.verifications.initiate(w.stranger, otp(indian, { channel: "WHATSAPP" }))
      const token = Redacted.make("token")
      yield* w.numbers.connect(w.stranger, { phoneNumberId: "200", wabaId: "1", accessToken: token })
      const lead = yield* w.leadOf(w.stranger)
      yield* w.leads.reply(w.stranger, lead, { template: "sale/en", values: ["x"] })
      // The number's token is decrypted outside the test clock.
      yield* until(Effect.sync(() => w.sent.length === 2))
      assert.deepStrictEqual(
        w.sent.map(({ _tag, account }) => [_tag, account?.id]),
        [
          ["Code", undefined],
          ["Template", "200"]
        ]
      )
    })
  )
})

describe("a reply with a template", () => {
  it.effect("accepts the id or name of a stored template, then a name at WhatsApp", () =>
    Effect.gen(function* () {
      const w = yield* makeOwners()
      const { id } = (yield* w.templates.create(w.live, saleOf)).head
      const lead = yield* w.leadOf(w.live)
      for (const template of [id, "Opening sale", "OPENING SALE", "sale", "other/hi"]) {
        yield* w.leads.reply(w.live, lead, { template, values: ["x"] })
      }
      yield* until(Effect.sync(() => w.sent.length === 5))
      const names = w.sent.map((message) => (message._tag === "Template" ? `${message.name}/${message.language}` : ""))
      assert.sameMembers(names, ["sale/en", "sale/en", "sale/en", "sale/en", "other/hi"])
      for (const [request, field] of [
        [{ template: "Opening sale" }, "values"],
        [{ template: "No Such Name" }, "template"]
      ] as const) {
        assert.deepInclude(yield* Effect.flip(w.leads.reply(w.live, lead, request)), { _tag: "InvalidField", field })
      }
    })
  )

  it.effect("is refused for a person who opted out, except for 24 hours after their last message", () =>
    Effect.gen(function* () {
      const w = yield* makeOwners()
      const lead = yield* w.leadOf(w.live)
      yield* w.optOuts.add(w.live, `+${phone}`)
      const reply = w.leads.reply(w.live, lead, { template: "sale/en", values: ["x"] })
      assert.deepInclude(yield* Effect.flip(reply), { _tag: "InvalidField", field: "template" })
      w.reports.push(wrote(phone, "Where is my order?", (yield* now) - days(1) + minutes(5)))
      yield* w.receipts.receive("played", callback)
      yield* until(Effect.map(Effect.orDie(w.leads.messages(w.live, lead, {})), ({ items }) => items.length === 1))
      yield* reply
      yield* until(Effect.sync(() => w.sent.length === 1))
      yield* TestClock.adjust("5 minutes")
      assert.deepInclude(yield* Effect.flip(reply), { field: "template" })
    })
  )

  it.effect("that waits is not sent to a person who opts out before", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const played = makeChannel()
      const w = yield* makeInbox({ storage, idle: true, channels: [played.channel] })
      const { lead } = yield* w.leads.create(w.live, { phone: `+${phone}` })
      const { id } = yield* w.leads.reply(w.live, lead.id, { template: "sale/en" })
      yield* Context.get(w.services, OptOuts).add(w.live, `+${phone}`)
      yield* w.another({ storage, channels: [played.channel] })
      yield* TestClock.adjust("10 seconds")
      const { items } = yield* w.leads.messages(w.live, lead.id, {})
      assert.deepInclude(
        items.find((item) => item.id === id),
        { status: "FAILED", error: "opted_out" }
      )
      assert.deepStrictEqual(played.sent, [])
    })
  )
})

const callback = { method: "POST", url: "", query: {}, header: () => undefined, body: new Uint8Array() }
const now = Effect.clockWith((clock) => clock.currentTimeMillis)
