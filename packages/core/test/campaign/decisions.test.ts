import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { ChannelError, OutcomeUnknown, Refused, Unavailable } from "../../src/index.channel.ts"
import type { Recipient } from "../../src/index.storage.ts"
import { noPrices, type Budget } from "../../src/account/billing/Budget.ts"
import { emptyBalance } from "../../src/account/billing/Balance.ts"
import { advanceRecipient } from "../../src/engagement/campaign/advanceRecipient.ts"
import { deliveryIdOf, numberIn, recipientBookings } from "../../src/engagement/campaign/Recipient.ts"
import { givenUp } from "../../src/engagement/campaign/resolve.ts"
import type { DeliveryNews } from "../../src/message/sending/advance.ts"
import { outcomeUnknown } from "../../src/foundation/delivery/Delivery.ts"
import { type Handed, settle } from "../../src/engagement/campaign/settle.ts"
import { unmarked } from "../../src/message/sending/mark.ts"
import { markPayable, splitRecipients } from "../../src/engagement/campaign/takeNext.ts"
import { start } from "../fixtures/World.ts"

type Person = Recipient.Recipient

const person = (number: number, more: Partial<Person> = {}): Person => ({
  environment: "env_1",
  campaignId: "cmp_01kaj3v9c0q5w8xn2rz7t4m6hd",
  number,
  version: 1,
  phone: `+91987654${String(number).padStart(4, "0")}`,
  values: [],
  status: "PENDING",
  handedAt: null,
  tries: 0,
  price: null,
  providerId: null,
  providerCode: null,
  ...more
})

const fail = (reason: ChannelError["reason"]): Handed["outcome"] => ({
  _tag: "Failed",
  carrier: "acme",
  error: new ChannelError({ channel: "SMS", reason })
})

const outcomes: ReadonlyArray<Handed["outcome"]> = [
  { _tag: "Sent", carrier: "acme", sent: { providerId: "m" } },
  { _tag: "Sent", carrier: "acme", sent: { providerId: null, delivered: true } },
  { _tag: "Resting", until: start + 9_000 },
  { _tag: "NoTurn" },
  fail(new Refused({ providerCode: "21211", because: "recipient" })),
  fail(new Refused({ providerCode: "132001", because: "template", template: "NOT_FOUND" })),
  fail(new Refused({ providerCode: "190", because: "account" })),
  fail(new Unavailable({ providerCode: "http_503" })),
  fail(new OutcomeUnknown({ providerCode: "timeout" }))
]

const news: ReadonlyArray<DeliveryNews> = (["SENT", "DELIVERED", "READ", "FAILED"] as const).map((status) => ({
  status,
  providerId: status === "SENT" ? "m" : null,
  providerCode: status === "FAILED" ? "30006" : null
}))

const budget = (amount: number): Budget => ({
  settings: {
    balanceLowAt: null,
    campaignFloor: null,
    dailyCap: {},
    prices: { SMS: { default: 10, prefixes: { "9198": 7 } } }
  },
  funds: { balance: { ...emptyBalance("env_1"), amount }, day: "2030-01-07", spent: {} }
})

type Step =
  | { readonly what: "send"; readonly outcome: Handed["outcome"] }
  | { readonly what: "receipt"; readonly news: DeliveryNews }
  | { readonly what: "give up" }

/** The events of a message, in any order. */
const steps: ReadonlyArray<Step> = [
  ...outcomes.map((outcome) => ({ what: "send", outcome }) as const),
  ...news.map((one) => ({ what: "receipt", news: one }) as const),
  { what: "give up" }
]

const upTo = (maximum: number) => Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum })))
const history = Arbitrary.array(
  Arbitrary.map(upTo(steps.length - 1), (i) => steps[i]!),
  { maxLength: 12 }
)

/** Returns every state of one recipient through a history. */
const lived = (steps: ReadonlyArray<Step>) => {
  const states = [person(1)]
  const become = (next: Person | null) => {
    if (next !== null) states.push(next)
  }
  for (const [i, step] of steps.entries()) {
    const now = start + i * 100_000
    const stored = states.at(-1)!
    if (step.what === "receipt") become(advanceRecipient(stored, [step.news], start))
    else if (step.what === "give up") {
      if (stored.status === "PENDING" && stored.handedAt !== null) become(givenUp(stored))
    } else if (stored.status === "PENDING") {
      const [marked] = markPayable([stored], { channel: "SMS" }, budget(1_000_000), now).recipients
      become(marked!)
      const { verdict } = settle([{ recipient: marked!, outcome: step.outcome }], 0, now).verdicts[0]!
      if (verdict._tag === "Heard") become(advanceRecipient(marked!, verdict.news, now))
      else if (verdict._tag === "Again") become(unmarked(marked!, marked!, verdict.wasAsked))
    }
  }
  return states
}

const isTaken = ({ handedAt, status }: Person) => handedAt !== null && status !== "FAILED" && status !== "SKIPPED"

describe("the state of a recipient", () => {
  const order = ["PENDING", "SENT", "DELIVERED", "READ"]
  it.prop("only moves forward, in any order of sends and receipts", [history], ([steps]) => {
    const states = lived(steps)
    for (const [i, after] of states.entries()) {
      const before = states[i - 1]
      if (before === undefined || before.status === after.status) continue
      if (before.status === "FAILED") assert.strictEqual(before.providerCode, outcomeUnknown)
      else if (after.status === "FAILED") assert.include(["PENDING", "SENT"], before.status)
      else assert.isAbove(order.indexOf(after.status), order.indexOf(before.status))
    }
  })

  it.prop("costs its price or nothing, after all charges and refunds", [history], ([steps]) => {
    const states = lived(steps)
    let sum = 0
    for (const [i, after] of states.entries()) {
      const before = states[i - 1]
      if (before === undefined) continue
      for (const { amount } of recipientBookings("SMS", before, after, start)) sum += amount
      assert.strictEqual(0 - sum, isTaken(after) ? 7 : 0)
    }
  })
})

describe("a step of a campaign", () => {
  it.prop(
    "sends as many messages as the balance covers, in order, and reports why it stops",
    [upTo(100), upTo(12)],
    ([amount, many]) => {
      const ready = Array.from({ length: many }, (_, i) => person(i + 1))
      const { booked, recipients, unpaid } = markPayable(ready, { channel: "SMS" }, budget(amount), start)
      const most = Math.min(many, Math.floor(amount / 7))
      assert.deepStrictEqual(
        recipients.map(({ number }) => number),
        ready.slice(0, most).map(({ number }) => number)
      )
      assert.strictEqual(unpaid, most < many ? "BALANCE" : null)
      assert.strictEqual(
        booked.reduce((sum, { amount }) => sum - amount, 0),
        7 * most
      )
      assert.isTrue(recipients.every(({ handedAt, tries }) => handedAt === start && tries === 1))
    }
  )

  it("charges nothing more for a message with an unknown outcome, and nothing where billing is off", () => {
    const again = person(1, { handedAt: start - 60_000, tries: 1, price: { amount: 7, day: "2030-01-07", cap: null } })
    const repeated = markPayable([again], { channel: "SMS" }, budget(0), start)
    assert.deepInclude(repeated, { booked: [], unpaid: null })
    assert.deepInclude(repeated.recipients[0], { tries: 2, handedAt: start, price: again.price })
    const free = markPayable([person(1)], { channel: "SMS" }, noPrices, start)
    assert.deepInclude(free, { booked: [], unpaid: null })
  })

  it("skips opted-out recipients, and returns to recipients in quiet hours", () => {
    const page = [1, 2, 3, 4, 5].map((number) => person(number))
    const optedOut = new Set([page[0]!.phone])
    const quietUntil = (phone: string) =>
      phone === page[1]!.phone ? start + 2 : phone === page[3]!.phone ? start + 1 : null
    const sorted = splitRecipients(page, { optedOut, quietUntil }, 2)
    assert.deepStrictEqual(
      [sorted.ready, sorted.skipped].map((all) => all.map(({ number }) => number)),
      [[3, 5], [1]]
    )
    assert.deepInclude(sorted, { next: start + 1, last: 5 })
    assert.deepInclude(splitRecipients(page, { optedOut, quietUntil }, 1), { next: start + 2, last: 3 })
  })

  it("is refused as a whole for its template, or for the account when no message was accepted", () => {
    const handed = (outcome: Handed["outcome"], many: number, from = 1): ReadonlyArray<Handed> =>
      Array.from({ length: many }, (_, i) => ({ recipient: person(from + i, { handedAt: start, tries: 1 }), outcome }))
    const [sent] = outcomes
    const template = outcomes[5]!
    const account = outcomes[6]!
    const backs = (all: ReadonlyArray<Handed>) =>
      settle(all, 0, start).verdicts.filter(({ verdict }) => verdict._tag === "Again").length
    assert.strictEqual(settle(handed(account, 5), 0, start).refused, "190")
    assert.strictEqual(backs(handed(account, 5)), 5)
    assert.isNull(settle(handed(account, 4), 0, start).refused)
    assert.strictEqual(backs(handed(account, 4)), 0)
    assert.isNull(settle([...handed(account, 5), ...handed(sent!, 1, 9)], 0, start).refused)
    const mixed = [...handed(sent!, 5), ...handed(template, 1, 9)]
    assert.strictEqual(settle(mixed, 0, start).refused, "132001")
    assert.strictEqual(backs(mixed), 1)
  })

  it("fails a message that was postponed thirty times, and releases only its own mark", () => {
    const put = outcomes[7]!
    const marked = person(1, { handedAt: start, tries: 29 })
    const last = { ...marked, tries: 30 }
    assert.strictEqual(settle([{ recipient: marked, outcome: put }], 0, start).verdicts[0]?.verdict._tag, "Again")
    assert.strictEqual(settle([{ recipient: last, outcome: put }], 0, start).verdicts[0]?.verdict._tag, "Heard")
    assert.deepInclude(unmarked(marked, marked, false), { handedAt: null, tries: 28 })
    assert.deepInclude(unmarked(marked, marked, true), { handedAt: null, tries: 29 })
    assert.isNull(unmarked({ ...marked, handedAt: start + 1 }, marked, false))
    assert.isNull(unmarked({ ...marked, status: "DELIVERED" }, marked, false))
  })
})

it.prop("the id of a message encodes the recipient's number and decodes to it", [upTo(2 ** 31 - 1)], ([number]) => {
  const name = deliveryIdOf(person(number))
  assert.match(name, /^dlv_[a-z0-9]{26}$/)
  assert.strictEqual(numberIn(name), number)
})

describe("a campaign and the balance that logins need", () => {
  const people = Array.from({ length: 5 }, (_, i) => person(i + 1))
  const paid = (
    amount: number,
    settings: { readonly balanceLowAt: number | null; readonly campaignFloor: number | null },
    creditLimit = 0
  ) => {
    const { funds } = budget(amount)
    const all: Budget = {
      settings: { ...settings, dailyCap: {}, prices: { SMS: 7 } },
      funds: { ...funds!, balance: { ...funds!.balance, creditLimit } }
    }
    const { recipients, unpaid } = markPayable(people, { channel: "SMS" }, all, start)
    return [recipients.length, unpaid]
  }

  it("pauses at the setting campaignFloor, or else at balanceLowAt, and uses no credit below it", () => {
    assert.deepStrictEqual(paid(20, { balanceLowAt: null, campaignFloor: null }), [2, "BALANCE"])
    assert.deepStrictEqual(paid(20, { balanceLowAt: 10, campaignFloor: null }), [1, "FLOOR"])
    assert.deepStrictEqual(paid(24, { balanceLowAt: 10, campaignFloor: null }), [2, "FLOOR"])
    assert.deepStrictEqual(paid(23, { balanceLowAt: 10, campaignFloor: null }), [1, "FLOOR"])
    assert.deepStrictEqual(paid(35, { balanceLowAt: 10, campaignFloor: 0 }), [5, null])
    assert.deepStrictEqual(paid(20, { balanceLowAt: null, campaignFloor: 20 }), [0, "FLOOR"])
    assert.deepStrictEqual(paid(7, { balanceLowAt: null, campaignFloor: null }, 7), [2, "BALANCE"])
    assert.deepStrictEqual(paid(7, { balanceLowAt: null, campaignFloor: 0 }, 7), [1, "FLOOR"])
  })

  it("continues while its messages are free or billing is off", () => {
    const free: Budget = { ...budget(0), settings: { ...budget(0).settings, campaignFloor: 50, prices: { SMS: 0 } } }
    assert.strictEqual(markPayable(people, { channel: "SMS" }, free, start).unpaid, null)
    const unbilled: Budget = { settings: { ...budget(0).settings, campaignFloor: 50 }, funds: null }
    assert.strictEqual(markPayable(people, { channel: "SMS" }, unbilled, start).unpaid, null)
  })
})
