import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { emptyBalance, type Recipient, BalanceStore } from "../../src/index.storage.ts"
import { type CampaignWorld, failing, makeCampaigns, phoneOf, playedChannel } from "../fixtures/CampaignWorld.ts"
import { otp, start } from "../fixtures/World.ts"
import { operator } from "../../src/foundation/outbox/AuditEntry.ts"

type Person = Recipient.Recipient

const statuses = (people: ReadonlyArray<Person>) =>
  people.map(({ providerCode, status }) => (providerCode === null ? status : `${status} ${providerCode}`))

const delivered = (world: CampaignWorld) =>
  Effect.map(world.events(world.live), (all) =>
    all.flatMap((event) => (event.type === "campaign.delivered" ? [event.data] : []))
  )

describe("a campaign", () => {
  it.effect("sends each recipient one message with their own values, and records campaign.delivered once", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      const id = yield* world.begin(120)
      yield* world.pass(6)
      assert.strictEqual(world.heard.length, 120)
      assert.strictEqual(new Set(world.heard.map(({ to }) => to)).size, 120)
      assert.deepInclude(world.heard[0], { to: phoneOf(1), text: "Hello guest 1, from Acme" })
      assert.deepInclude(yield* world.get(id), { status: "DONE", counts: null })
      assert.deepStrictEqual(yield* delivered(world), [
        { campaignId: id, name: "Diwali", total: 120, sent: 120, failed: 0 }
      ])
      yield* world.receipt(id, 7, "READ")
      yield* world.receipt(id, 7, "DELIVERED")
      yield* world.receipt(id, 8, "FAILED", "30006")
      const people = yield* world.recipients(id)
      assert.deepStrictEqual(statuses(people).slice(6, 9), ["READ", "FAILED 30006", "SENT"])
      assert.deepInclude(people[6], { providerId: "sm_7", carrier: "played", tries: 1 })
      yield* world.pass(120)
      assert.strictEqual((yield* delivered(world)).length, 1)
    })
  )

  for (const [limits, perSecond] of [
    [{}, 50],
    [{ perSecond: 20 }, 10],
    [{ atOnce: 8 }, 4]
  ] as const) {
    it.effect(`sends ${perSecond} messages a second where the provider's limits are ${JSON.stringify(limits)}`, () =>
      Effect.gen(function* () {
        const played = playedChannel("SMS", { limits })
        let [running, most] = [0, 0]
        played.play.answer = (_message, n) =>
          Effect.acquireUseRelease(
            Effect.sync(() => {
              most = Math.max(most, ++running)
            }),
            () => Effect.delay(Effect.succeed({ providerId: `sm_${n}` }), "500 millis"),
            () => Effect.sync(() => running--)
          )
        const world = yield* makeCampaigns({ played })
        yield* world.begin(300)
        yield* world.pass(5)
        assert.isAtMost(world.heard.length, perSecond * 5 + 1)
        assert.isAtLeast(world.heard.length, perSecond * 3)
        assert.isAtMost(most, "atOnce" in limits ? 2 : 25)
      })
    )
  }

  it.effect("leaves room for codes, which it never delays, and the provider's rate limit holds for both together", () =>
    Effect.gen(function* () {
      const played = playedChannel("SMS", { limits: { perSecond: 10 } })
      const world = yield* makeCampaigns({ played })
      yield* world.begin(200)
      const late: Array<number> = []
      for (let second = 0; second < 10; second++) {
        const asked = yield* Clock.currentTimeMillis
        const before = world.heard.length
        yield* world.verifications.initiate(world.live, otp(`+9199999${String(second).padStart(5, "0")}`))
        yield* world.pass(1)
        const code = world.heard.slice(before).find(({ reference }) => reference.includes(".ver_"))
        late.push((code?.at ?? Infinity) - asked)
      }
      assert.deepStrictEqual(
        late,
        late.map(() => 0)
      )
      assert.isAtMost(world.heard.length, 101)
      const sent = world.heard.filter(({ reference }) => reference.includes(".cmp_"))
      assert.isAtMost(sent.length, 51)
    })
  )

  it.effect("takes turns with other environments, so none waits for another's whole list", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      const other = yield* world.merchants.create("Bazaar")
      const bazaar = yield* world.merchants.authenticate(other.live.clientId, other.live.clientSecret)
      const [a, b] = [yield* world.begin(500), yield* world.begin(500)]
      const c = yield* world.begin(500, {}, bazaar)
      yield* world.pass(12)
      const shares = [yield* world.progress(a), yield* world.progress(b), yield* world.progress(c, bazaar)]
      const [first, second, third] = shares.map(({ SENT }) => SENT)
      assert.isAtLeast(third!, 200)
      assert.isAtLeast(first! + second!, 200)
    })
  )

  it.effect("keeps the outcome of the other recipients when its channel throws for one", () =>
    Effect.gen(function* () {
      const played = playedChannel("SMS")
      played.play.answer = ({ to }, n) =>
        to === phoneOf(3)
          ? Effect.die(new Error("bug"))
          : Effect.delay(Effect.succeed({ providerId: `sm_${n}` }), "500 millis")
      const world = yield* makeCampaigns({ played })
      const id = yield* world.begin(20)
      yield* world.pass(5)
      const people = yield* world.recipients(id)
      const broken = people.filter(({ phone }) => phone === phoneOf(3))
      assert.deepStrictEqual(
        people.map(({ status }) => status).filter((status) => status === "SENT"),
        Array.from({ length: 19 }, () => "SENT")
      )
      // The provider may have this message.
      assert.deepInclude(broken[0], { status: "PENDING", tries: 1 })
      assert.strictEqual(new Set(world.heard.map(({ to }) => to)).size, world.heard.length)
    })
  )

  it.effect("starts at its startAt, and skips recipients who opted out", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      yield* world.optOuts.add(world.live, phoneOf(2))
      const id = yield* world.begin(3, { status: "SCHEDULED", startAt: start + 60_000 })
      yield* world.pass(59)
      assert.strictEqual(world.heard.length, 0)
      yield* world.pass(4)
      assert.deepStrictEqual(statuses(yield* world.recipients(id)), ["SENT", "SKIPPED opted_out", "SENT"])
      assert.deepStrictEqual(yield* delivered(world), [
        { campaignId: id, name: "Diwali", total: 3, sent: 2, failed: 0 }
      ])
    })
  )

  it.effect("stops sending when quiet hours begin in the middle of a step", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      yield* world.merchants.changeSettings(world.live, { quietHours: { from: "15:31", to: "15:35" } })
      yield* world.pass(59)
      const id = yield* world.begin(100)
      yield* world.pass(60)
      assert.isAtLeast(world.heard.length, 10)
      assert.isBelow(world.heard.at(-1)!.at, start + 60_000)
      yield* world.pass(240)
      assert.strictEqual((yield* world.get(id)).status, "DONE")
      assert.strictEqual(world.heard.length, 100)
    })
  )

  it.effect("waits for recipients in their local quiet hours, and sends to the others in the meantime", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      // 15:30 in India, 23:00 in New Zealand.
      const quietHours = { from: "21:00", to: "23:02" }
      yield* world.merchants.changeSettings(world.live, { quietHours })
      const id = yield* world.begin(["+6421345678", phoneOf(1), "+6421345679", phoneOf(2)])
      yield* world.pass(10)
      assert.deepStrictEqual(statuses(yield* world.recipients(id)), ["PENDING", "SENT", "PENDING", "SENT"])
      assert.strictEqual((yield* world.get(id)).status, "RUNNING")
      yield* world.pass(120)
      assert.deepStrictEqual(statuses(yield* world.recipients(id)), ["SENT", "SENT", "SENT", "SENT"])
      assert.strictEqual((yield* world.get(id)).status, "DONE")
      assert.isAtLeast(world.heard[2]!.at, start + 120_000)
    })
  )
})

describe("a campaign with unknown outcomes", () => {
  it.effect("never repeats a message with an unknown outcome without receipts, and fails it after a minute", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      world.play.answer = (_message, n) => (n === 2 ? failing.lost : Effect.succeed({ providerId: `sm_${n}` }))
      const id = yield* world.begin(3)
      yield* world.pass(50)
      assert.deepStrictEqual(statuses(yield* world.recipients(id)), ["SENT", "PENDING", "SENT"])
      assert.strictEqual((yield* world.get(id)).status, "RUNNING")
      yield* world.pass(20)
      assert.deepStrictEqual(statuses(yield* world.recipients(id)), ["SENT", "FAILED outcome_unknown", "SENT"])
      assert.deepStrictEqual(yield* delivered(world), [
        { campaignId: id, name: "Diwali", total: 3, sent: 2, failed: 1 }
      ])
      assert.strictEqual(world.heard.length, 3)
      yield* world.receipt(id, 2, "DELIVERED")
      assert.deepStrictEqual(statuses(yield* world.recipients(id)), ["SENT", "DELIVERED", "SENT"])
    })
  )

  it.effect("repeats a message once when receipts of later messages arrived and its own did not", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      world.play.answer = (_message, n) =>
        n === 2 || n === 4 ? failing.lost : Effect.succeed({ providerId: `sm_${n}` })
      const id = yield* world.begin(3)
      yield* world.pass(5)
      yield* world.receipt(id, 3, "DELIVERED")
      yield* world.pass(70)
      assert.deepStrictEqual(statuses(yield* world.recipients(id)), ["SENT", "PENDING", "DELIVERED"])
      assert.deepStrictEqual(
        world.heard.map(({ to }) => to),
        [1, 2, 3, 2].map(phoneOf)
      )
      yield* world.pass(70)
      assert.deepStrictEqual(statuses(yield* world.recipients(id)), ["SENT", "FAILED outcome_unknown", "DELIVERED"])
      assert.strictEqual(world.heard.length, 4)
      assert.strictEqual((yield* world.get(id)).status, "DONE")
    })
  )

  it.effect("repeats no message when the receipts of later messages may belong to another carrier", () =>
    Effect.gen(function* () {
      const other = playedChannel("SMS", { provider: "other" })
      const world = yield* makeCampaigns({ carriers: [other.channel] })
      world.play.answer = (_message, n) => (n === 1 ? failing.lost : failing.down)
      const id = yield* world.begin(3)
      yield* world.pass(5)
      assert.strictEqual(other.heard.length, 2)
      yield* world.receipt(id, 3, "DELIVERED")
      yield* world.pass(90)
      assert.strictEqual([...world.heard, ...other.heard].filter(({ to }) => to === phoneOf(1)).length, 1)
      assert.deepStrictEqual(statuses(yield* world.recipients(id)), ["FAILED outcome_unknown", "SENT", "DELIVERED"])
    })
  )

  it.effect(
    "sends no message by a second carrier after the first one may have taken it, though that one may repeat it",
    () =>
      Effect.gen(function* () {
        const other = playedChannel("SMS", { provider: "other" })
        const world = yield* makeCampaigns({ carriers: [other.channel] })
        world.play.answer = (_message, n) => (n === 1 ? failing.repeatable : failing.down)
        const id = yield* world.begin(3)
        yield* world.pass(90)
        assert.strictEqual([...world.heard, ...other.heard].filter(({ to }) => to === phoneOf(1)).length, 1)
        assert.strictEqual((yield* world.get(id)).status, "DONE")
      })
  )

  it.effect("continues in another process after a kill, and sends each recipient one message", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      // Receipts arrive for the messages of the first process, but not at that process.
      const id = yield* world.begin(250)
      yield* world.pass(1)
      const other = yield* world.another()
      yield* world.pass(2)
      const asked = world.heard.length
      world.kill()
      const before = yield* world.recipients(id)
      const inDoubt = before.filter(({ handedAt, status }) => status === "PENDING" && handedAt !== null)
      assert.isAtLeast(inDoubt.length, 1)
      assert.isAtMost(inDoubt.length, 50)
      for (const { to } of world.heard.slice(0, asked)) {
        yield* world.receipt(id, Number(to.slice(-5)), "DELIVERED", null, other)
      }
      yield* world.pass(200)
      assert.deepInclude(yield* world.get(id), { status: "DONE" })
      const people = yield* world.recipients(id)
      assert.isTrue(people.every(({ status }) => status === "SENT" || status === "DELIVERED"))
      const counts = Map.groupBy(world.heard, ({ to }) => to)
      assert.strictEqual(counts.size, 250)
      assert.strictEqual(world.heard.length, 250)
      assert.strictEqual((yield* delivered(world)).length, 1)
    })
  )

  it.effect("repeats no message whose receipt arrived while no process was running", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      const id = yield* world.begin(250)
      yield* world.pass(3)
      const asked = world.heard.length
      world.kill()
      yield* world.pass(5)
      const other = yield* world.another()
      // Most receipts are lost.
      for (const { to } of world.heard.slice(asked - 5, asked)) {
        yield* world.receipt(id, Number(to.slice(-5)), "DELIVERED", null, other)
      }
      yield* world.pass(150)
      assert.deepInclude(yield* world.get(id), { status: "DONE" })
      const { DELIVERED, FAILED, SENT } = yield* world.progress(id)
      assert.strictEqual(DELIVERED + FAILED + SENT, 250)
      assert.isAtMost(FAILED, 95)
      const counts = Map.groupBy(world.heard, ({ to }) => to)
      assert.deepStrictEqual(
        Array.from(counts).flatMap(([to, all]) => (all.length > 1 ? [to] : [])),
        []
      )
    })
  )

  it.effect("repeats no message that may have passed a gateway which answered with an error", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      world.play.answer = (_message, n) => (n === 2 ? failing.broken : Effect.succeed({ providerId: `sm_${n}` }))
      const id = yield* world.begin(3)
      yield* world.pass(80)
      assert.strictEqual(world.heard.length, 3)
      assert.deepStrictEqual(statuses(yield* world.recipients(id)), ["SENT", "FAILED outcome_unknown", "SENT"])
      yield* world.receipt(id, 2, "DELIVERED")
      assert.strictEqual((yield* world.recipients(id))[1]?.status, "DELIVERED")
    })
  )

  it.effect("repeats a message after quiet hours, not during them", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      // 15:30 in India: quiet hours begin in a minute.
      yield* world.merchants.changeSettings(world.live, { quietHours: { from: "15:31", to: "15:35" } })
      world.play.answer = (_message, n) => (n === 2 ? failing.lost : Effect.succeed({ providerId: `sm_${n}` }))
      const id = yield* world.begin(3)
      yield* world.pass(5)
      yield* world.receipt(id, 3, "DELIVERED")
      yield* world.pass(280)
      assert.strictEqual(world.heard.length, 3)
      yield* world.pass(30)
      assert.deepStrictEqual(statuses(yield* world.recipients(id)), ["SENT", "SENT", "DELIVERED"])
      assert.isAtLeast(world.heard[3]!.at, start + 300_000)
    })
  )
})

/** Turns billing on with a balance of `amount`, at 10 a message. */
const prepaid = Effect.fnUntraced(function* (world: CampaignWorld, amount: number) {
  yield* world.merchants.changeSettings({ ...world.live, actor: operator }, { billing: "PREPAID", prices: { SMS: 10 } })
  yield* topUp(world, amount)
})

const topUp = Effect.fnUntraced(function* (world: CampaignWorld, amount: number) {
  const { environment } = world.live
  const { balance } = yield* world.balances.funds(environment, "2030-01-07")
  yield* world.balances.commit(
    BalanceStore.change(balance.version === 0 ? emptyBalance(environment) : balance, {
      booked: [
        {
          environment,
          kind: "TOP_UP",
          amount,
          spent: null,
          reference: `top-up ${amount} ${balance.version}`,
          item: null,
          at: start
        }
      ]
    })
  )
})

const left = (world: CampaignWorld) =>
  Effect.map(world.balances.funds(world.live.environment, "2030-01-07"), ({ balance }) => balance.amount)

describe("the charges of a campaign", () => {
  it.effect("are booked before each send, and the campaign pauses for a top-up when the balance is too low", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      yield* prepaid(world, 305)
      const id = yield* world.begin(50)
      yield* world.pass(10)
      assert.deepInclude(yield* world.get(id), { status: "PAUSED", pausedFor: "MONEY" })
      assert.match((yield* world.get(id)).problem ?? "", /balance/)
      assert.strictEqual(world.heard.length, 30)
      assert.strictEqual(yield* left(world), 5)
      yield* world.pass(60)
      yield* topUp(world, 1_000)
      yield* world.resume(id)
      yield* world.pass(10)
      assert.strictEqual(world.heard.length, 50)
      assert.deepInclude(yield* world.get(id), { status: "DONE" })
      assert.strictEqual(yield* left(world), 1_305 - 500)
    })
  )

  it.effect("are refunded once for a failed message, and booked again when it proves to be sent", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      yield* prepaid(world, 1_000)
      world.play.answer = (_message, n) =>
        n === 1 ? failing.refused : n === 2 ? failing.lost : Effect.succeed({ providerId: `sm_${n}` })
      const id = yield* world.begin(4)
      yield* world.pass(5)
      assert.strictEqual(yield* left(world), 970)
      yield* world.receipt(id, 3, "FAILED", "30006")
      yield* world.receipt(id, 3, "FAILED", "30006")
      assert.strictEqual(yield* left(world), 980)
      yield* world.pass(70)
      assert.deepStrictEqual(statuses(yield* world.recipients(id)), [
        "FAILED blocked",
        "FAILED outcome_unknown",
        "FAILED 30006",
        "SENT"
      ])
      assert.strictEqual(yield* left(world), 990)
      yield* world.receipt(id, 2, "SENT")
      yield* world.receipt(id, 2, "DELIVERED")
      assert.strictEqual(yield* left(world), 980)
      const ledger = yield* world.ledger
      const own = ledger.filter(({ reference }) => reference === id)
      assert.deepStrictEqual(
        own.map(({ amount, item, kind }) => `${kind} ${amount} ${Number(item?.slice(-10))}`),
        [
          "SEND -10 1",
          "SEND -10 2",
          "SEND -10 3",
          "SEND -10 4",
          "REFUND 10 1",
          "REFUND 10 3",
          "REFUND 10 2",
          "SEND -10 2"
        ]
      )
    })
  )

  it.effect("leave out a message that proves to be sent when the balance is empty", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      yield* prepaid(world, 20)
      world.play.answer = (_message, n) => (n === 1 ? failing.lost : Effect.succeed({ providerId: `sm_${n}` }))
      const id = yield* world.begin(2)
      yield* world.pass(80)
      assert.strictEqual(yield* left(world), 10)
      yield* world.begin(1)
      yield* world.pass(5)
      assert.strictEqual(yield* left(world), 0)
      yield* world.receipt(id, 1, "DELIVERED")
      assert.deepStrictEqual(statuses(yield* world.recipients(id)), ["DELIVERED", "SENT"])
      assert.strictEqual(yield* left(world), 0)
    })
  )
})

describe("a user's change to a campaign", () => {
  it.effect("pauses it within a step, and resuming continues where it stopped", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      const id = yield* world.begin(300)
      yield* world.pass(1)
      yield* world.pause(id)
      yield* world.pass(5)
      const sent = world.heard.length
      assert.isAtMost(sent, 100)
      yield* world.pass(30)
      assert.strictEqual(world.heard.length, sent)
      yield* world.resume(id)
      yield* world.pass(15)
      assert.strictEqual(world.heard.length, 300)
      assert.strictEqual(new Set(world.heard.map(({ to }) => to)).size, 300)
      assert.strictEqual((yield* delivered(world)).length, 1)
    })
  )

  it.effect("cancels it and skips the unsent recipients; receipts of sent messages still count", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      const id = yield* world.begin(1_200)
      yield* world.pass(1)
      yield* world.cancel(id)
      yield* world.pass(10)
      const { PENDING, SENT, SKIPPED } = yield* world.progress(id)
      assert.deepStrictEqual([PENDING, SENT + SKIPPED, SENT], [0, 1_200, world.heard.length])
      assert.isAtMost(SENT, 100)
      const last = (yield* world.recipients(id)).at(-1)!
      assert.strictEqual(last.providerCode, "cancelled")
      yield* world.receipt(id, 1, "READ")
      assert.strictEqual((yield* world.recipients(id))[0]?.status, "READ")
      assert.deepStrictEqual(yield* delivered(world), [])
      assert.strictEqual((yield* world.get(id)).status, "CANCELLED")
    })
  )

  it.effect("that pauses and resumes it immediately leaves one running job", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      const id = yield* world.begin(100)
      yield* TestClock.adjust("100 millis")
      for (let i = 0; i < 5; i++) {
        yield* world.pause(id)
        yield* world.resume(id)
      }
      yield* world.pass(10)
      assert.strictEqual(world.heard.length, 100)
      assert.strictEqual((yield* world.get(id)).status, "DONE")
      assert.strictEqual((yield* delivered(world)).length, 1)
    })
  )
})

describe("a campaign that cannot send", () => {
  it.effect("is paused for a removed or rejected template, and fails no recipient", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      const template = yield* world.save({ name: "gone" })
      yield* world.save({ ...template, removedAt: start }, null)
      const removed = yield* world.begin(2, { text: { id: template.id, version: 1 } })
      yield* world.pass(5)
      assert.deepInclude(yield* world.get(removed), { status: "PAUSED", pausedFor: "CHANNEL" })
      assert.match((yield* world.get(removed)).problem ?? "", /removed/)
      world.play.answer = () => failing.noTemplate
      const refused = yield* world.begin(50)
      yield* world.pass(10)
      assert.deepInclude(yield* world.get(refused), { status: "PAUSED", pausedFor: "CHANNEL" })
      assert.strictEqual((yield* world.progress(refused)).PENDING, 50)
      const sends = world.heard.length
      yield* world.pass(60)
      assert.strictEqual(world.heard.length, sends)
    })
  )

  it.effect("waits while the provider is busy or its circuit is open, then sends each recipient one message", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      let down = true
      world.play.answer = (_message, n) => (down ? failing.down : Effect.succeed({ providerId: `sm_${n}` }))
      const id = yield* world.begin(60)
      yield* world.pass(120)
      assert.isAtMost(world.heard.length, 100)
      assert.strictEqual((yield* world.progress(id)).PENDING, 60)
      const asked = world.heard.length
      down = false
      yield* world.pass(90)
      assert.strictEqual((yield* world.get(id)).status, "DONE")
      assert.strictEqual(new Set(world.heard.slice(asked).map(({ to }) => to)).size, 60)
      assert.strictEqual(world.heard.length - asked, 60)
    })
  )

  it.effect("records a STOP that arrives in the receipt of a failed message", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      world.play.answer = () => failing.lost
      const id = yield* world.begin(1)
      yield* world.pass(80)
      assert.deepStrictEqual(statuses(yield* world.recipients(id)), ["FAILED outcome_unknown"])
      yield* world.receipt(id, 1, "FAILED", "stop", world, "opted_out")
      assert.deepInclude(yield* world.optOuts.of(world.live.environment, phoneOf(1)), { isOut: true, by: "PROVIDER" })
    })
  )

  it.effect("repeats no message that has a receipt, although the provider reported that it was too busy", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      world.play.answer = () => failing.down
      const id = yield* world.begin(1)
      yield* TestClock.adjust("250 millis")
      yield* world.receipt(id, 1, "DELIVERED")
      yield* world.pass(30)
      assert.strictEqual(world.heard.length, 1)
      const [person] = yield* world.recipients(id)
      assert.deepInclude(person, { status: "DELIVERED", handedAt: start + 250 })
    })
  )

  it.effect("records an opt-out when the provider reports that the recipient sent STOP", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      world.play.answer = (_message, n) => (n === 1 ? failing.stopped : Effect.succeed({ providerId: `sm_${n}` }))
      const first = yield* world.begin(2)
      yield* world.pass(5)
      assert.deepStrictEqual(statuses(yield* world.recipients(first)), ["FAILED stop", "SENT"])
      yield* world.receipt(first, 2, "FAILED", "stop", world, "opted_out")
      const second = yield* world.begin(3)
      yield* world.pass(5)
      assert.deepStrictEqual(statuses(yield* world.recipients(second)), [
        "SKIPPED opted_out",
        "SKIPPED opted_out",
        "SENT"
      ])
    })
  )

  it.effect("waits while its merchant is suspended", () =>
    Effect.gen(function* () {
      const world = yield* makeCampaigns()
      const { merchant } = world.keys
      yield* world.merchants.setStatus(merchant.id, "SUSPENDED")
      yield* TestClock.adjust("10 seconds")
      const id = yield* world.begin(3)
      yield* world.pass(30)
      assert.strictEqual(world.heard.length, 0)
      yield* world.merchants.setStatus(merchant.id, "ACTIVE")
      yield* world.pass(90)
      assert.strictEqual((yield* world.get(id)).status, "DONE")
    })
  )
})

it.effect("a campaign in a test environment sends nothing, and its numbers set the outcomes", () =>
  Effect.gen(function* () {
    const world = yield* makeCampaigns()
    const id = yield* world.begin(["+919876540000", "+919876540001", "+919876540002"], {}, world.test)
    yield* world.pass(5)
    assert.deepStrictEqual(statuses(yield* world.recipients(id, world.test)), [
      "FAILED unreachable",
      "SENT",
      "DELIVERED"
    ])
    assert.strictEqual(world.heard.length, 0)
  })
)

it.effect("a campaign over WhatsApp sends its template with each recipient's values", () =>
  Effect.gen(function* () {
    const world = yield* makeCampaigns({ played: playedChannel("WHATSAPP") })
    const text = yield* world.save(
      {},
      {
        subject: null,
        body: "Hello {{name}}, from {{brand}}",
        html: null,
        dltText: null,
        dltTemplateId: null,
        header: null,
        whatsappName: "diwali",
        whatsappLanguage: "en",
        numberId: null
      }
    )
    const id = yield* world.begin(2, { text: { id: text.id, version: 1 } })
    yield* world.pass(5)
    assert.deepStrictEqual(
      world.heard.map(({ text, values }) => [text, ...values]),
      [
        ["", "guest 1", "Acme"],
        ["", "guest 2", "Acme"]
      ]
    )
    assert.strictEqual((yield* world.get(id)).status, "DONE")
  })
)
