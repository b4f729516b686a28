import { assert, it } from "@effect/vitest"
import { Context, Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Erasures, Exports, Leads } from "../../src/index.ts"
import { advanceRecipient } from "../../src/engagement/campaign/advanceRecipient.ts"
import { failing, makeCampaigns, phoneOf, playedChannel } from "../fixtures/CampaignWorld.ts"
import { wrote } from "../fixtures/InboxWorld.ts"
import { start, until } from "../fixtures/World.ts"

it.effect("an erased person is anonymous in every campaign, receives no further message, and stays in the counts", () =>
  Effect.gen(function* () {
    const world = yield* makeCampaigns()
    const erasures = Context.get(world.services, Erasures)
    const exports = Context.get(world.services, Exports)
    const shown = Effect.gen(function* () {
      const lines = yield* exports.of(world.live, phoneOf(1))
      const all = yield* Stream.runCollect(lines)
      return Array.from(all).filter(({ kind }) => kind === "recipient")
    })
    const done = yield* world.begin([phoneOf(1), phoneOf(2)])
    yield* world.pass(5)
    world.play.answer = () => failing.lost
    const inDoubt = yield* world.begin([phoneOf(1)])
    yield* world.pass(5)
    const waiting = yield* world.begin([phoneOf(2), phoneOf(1)], { status: "SCHEDULED", startAt: start + 600_000 })
    assert.deepInclude((yield* shown)[0], {
      campaignId: done,
      phone: phoneOf(1),
      values: ["guest 1", "Acme"],
      status: "SENT"
    })
    assert.strictEqual((yield* shown).length, 3)
    const { id } = yield* erasures.begin(world.live, { identity: phoneOf(1) })
    while ((yield* erasures.get(world.live, id)).finishedAt === null) yield* world.pass(1)
    assert.deepStrictEqual(yield* shown, [])
    const nobody = { phone: "+91******0001", values: [], providerId: null }
    const [of] = yield* world.recipients(done)
    assert.deepInclude(of, { ...nobody, status: "SENT" })
    assert.deepInclude((yield* world.recipients(inDoubt))[0], {
      ...nobody,
      status: "FAILED",
      providerCode: "outcome_unknown"
    })
    assert.deepInclude((yield* world.recipients(waiting))[1], { ...nobody, status: "SKIPPED", providerCode: "erased" })
    const late = advanceRecipient(of!, [{ status: "READ", providerId: "wamid of theirs", providerCode: null }], start)
    assert.deepInclude(late, { ...nobody, status: "READ" })
    world.play.answer = (_message, n) => Effect.succeed({ providerId: `sm_${n}` })
    yield* world.pass(700)
    assert.deepStrictEqual(
      world.heard.map(({ to }) => to),
      [1, 2, 1, 2].map(phoneOf)
    )
    assert.strictEqual((yield* world.get(waiting)).status, "DONE")
  })
)

it.effect("recipients are deleted when their campaign has been over for the retention of verifications", () =>
  Effect.gen(function* () {
    const world = yield* makeCampaigns({ idle: true, retention: { verifications: 1, events: 1 } })
    const over = yield* world.begin(2, { status: "DONE", finishedAt: start })
    const paused = yield* world.begin(2, { status: "PAUSED", pausedFor: "PERSON" })
    yield* TestClock.adjust("1 hour")
    assert.strictEqual((yield* world.recipients(over)).length, 2)
    // After a day it is past the retention; the next daily pass removes it.
    yield* TestClock.setTime(start + 2 * 86_400_000 + 60_000)
    yield* TestClock.adjust("1 hour")
    assert.deepStrictEqual(yield* world.recipients(over), [])
    assert.deepInclude((yield* world.get(over)).counts, { PENDING: 2, SENT: 0 })
    assert.strictEqual((yield* world.recipients(paused)).length, 2)
  })
)

it.effect("a person who replies to a campaign's message becomes a lead of the campaign", () =>
  Effect.gen(function* () {
    const { channel, ...played } = playedChannel("WHATSAPP")
    const reports = [wrote("919876500001", "yes please", start, { context: { messageId: "sm_1", forwarded: false } })]
    const callback = {
      name: "played",
      receive: () =>
        Effect.sync(() => ({
          status: 200,
          contentType: "text/plain",
          body: "",
          receipts: [],
          inbound: reports.splice(0)
        }))
    }
    const supports = { ...channel.supports, senders: ["100"] }
    const world = yield* makeCampaigns({ played: { ...played, channel: { ...channel, supports, callback } } })
    const text = yield* world.save(
      {},
      {
        subject: null,
        body: null,
        html: null,
        dltText: null,
        dltTemplateId: null,
        header: null,
        whatsappName: "diwali",
        whatsappLanguage: "en",
        numberId: null
      }
    )
    const id = yield* world.begin(1, { text: { id: text.id, version: 1 } })
    yield* world.pass(5)
    yield* world.receipts.receive("played", {
      method: "POST",
      url: "",
      query: {},
      header: () => undefined,
      body: new Uint8Array()
    })
    // The sealed message is decrypted outside the test clock.
    const leads = Context.get(world.services, Leads)
    yield* until(Effect.map(Effect.orDie(leads.page(world.live, {})), (all) => all.length === 1))
    const [lead] = yield* leads.page(world.live, {})
    assert.deepInclude(lead?.lead, { origin: "CAMPAIGN", campaignId: id })
    const told = (yield* world.events(world.live)).find(({ type }) => type === "message.received")
    assert.deepInclude(told?.data, { campaignId: id, isNewLead: true })
  })
)
