import { assert, describe, it } from "@effect/vitest"
import { attempt, type Decision, deliver, initiate, type Settings, type Verification } from "../../src/index.ts"
import type { ChannelName } from "../../src/index.channel.ts"
import { dayOf } from "../../src/account/billing/dayOf.ts"
import { priceOf } from "../../src/account/billing/charge.ts"
import { dead } from "../../src/foundation/delivery/Delivery.ts"
import { expire } from "../../src/auth/verification/expire.ts"
import { fallbackDue } from "../../src/auth/verification/fallback.ts"
import { attemptWith, commandWith, identityOf, report, settingsWith } from "../fixtures/decisions.ts"
import { Ledger } from "../fixtures/Ledger.ts"
import { Purse } from "../fixtures/Purse.ts"
import { start } from "../fixtures/World.ts"
import { triedInVain, type DeliveryReport } from "../../src/auth/verification/deliver.ts"

const sequences = 300
const steps = 30

/** A repeatable random source. */
const chanceOf = (seed: number) => {
  let state = seed
  return (n: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

const channels = ["SMS", "WHATSAPP", "RCS"] as const
const people = ["9876543210", "9876543211", "+9779812345678"]
const prices = { SMS: 20, WHATSAPP: { default: 90, prefixes: { "91": 70, "9779": 120 } }, RCS: 0 } as const
const reports = ["SENT", "DELIVERED", "READ", "FAILED", "FAILED", "SKIPPED"] as const

/** One environment with prices, and every event of a verification in any order. */
class Play {
  readonly ledger = new Ledger()
  readonly purse: Purse
  readonly ids: Array<string> = []
  readonly chance: (n: number) => number
  readonly settings: Settings
  now = start
  count = 0
  refused = 0

  constructor(seed: number) {
    this.chance = chanceOf(seed)
    this.purse = new Purse(this.chance(400))
    this.settings = settingsWith({ prices, dailyCap: { WHATSAPP: 200 }, billing: "PREPAID", hourlyLimit: 100 })
  }

  budget() {
    return { settings: this.settings, funds: this.purse.funds(dayOf(this.settings, this.now)) }
  }

  apply(decision: Decision<unknown>) {
    const change = this.ledger.apply(decision)
    if (change !== null) this.purse.book(change.booked)
    return change
  }

  one<A>(items: ReadonlyArray<A>): A {
    return items[this.chance(items.length)]!
  }

  initiate() {
    const identity = identityOf(this.one(people))
    const subject = this.ledger.subject(identity.canonical)
    const live = subject.live.at(-1)
    const known = live === undefined ? null : this.ledger.verification(live.id)
    const channel: ChannelName = this.one(channels)
    const other = this.one(channels)
    const command = commandWith(
      {
        identity,
        channel,
        fallback: other === channel ? null : { channel: other, after: 60_000 },
        funds: this.budget().funds,
        idempotencyKey: this.chance(4) === 0 ? `c${this.chance(3)}` : null
      },
      ++this.count
    )
    const decision = initiate(subject, known, command, this.settings, this.now)
    if (decision.outcome._tag === "Unpaid") this.refused++
    const id = this.apply(decision)?.verification?.id
    if (id !== undefined && !this.ids.includes(id)) this.ids.push(id)
  }

  step() {
    this.now += this.one([0, 1_000, 40_000, 200_000, 7_200_000])
    const id = this.one(this.ids)
    const fresh = { eventId: `evt_x${++this.count}`, deliveryId: `dlv_x${this.count}` }
    const lease = { key: "job", fence: 1 }
    if (id === undefined || this.chance(4) === 0) return this.initiate()
    const loaded = this.ledger.load(id)
    switch (this.chance(5)) {
      case 4: {
        const delivery = this.one(loaded.verification.deliveries)
        if (delivery.status !== "PENDING") return
        const next = this.chance(2) === 0 ? { ...delivery, unanswered: true as const } : delivery
        const tried = { at: this.now, carrier: "acme", providerCode: "timeout", again: null }
        return this.apply(triedInVain(loaded, next, [tried], this.now))
      }
      case 0:
        return this.apply(fallbackDue(loaded, () => true, fresh, this.budget(), lease, this.now))
      case 1:
        return this.apply(expire(loaded, fresh.eventId, this.now))
      case 2:
        return this.apply(
          attempt(loaded, attemptWith({ matches: () => this.chance(3) === 0 }), this.settings, this.now)
        )
      default: {
        const ours = this.chance(3) === 0 ? ({ isOurs: true } as const) : {}
        const given = Array.from(
          { length: 1 + this.chance(2) },
          (): DeliveryReport => ({ ...report(this.one(loaded.verification.deliveries).id, this.one(reports)), ...ours })
        )
        for (const [i, each] of given.entries()) {
          const done = i === 0 && this.chance(2) === 0 ? lease : null
          const names = { ...fresh, deliveryId: `${fresh.deliveryId}${i}` }
          this.apply(deliver(this.ledger.load(id), [each], names, this.budget(), done, this.now))
        }
      }
    }
  }

  get verifications(): ReadonlyArray<Verification.Verification> {
    return this.ids.map((id) => this.ledger.verification(id))
  }
}

describe("the balance entries of verifications", () => {
  it("add up to the price of their sent messages in any order, and exceed neither balance nor spend limit", () => {
    const seen = { booked: 0, refunds: 0, refused: 0, fallbacks: 0, maybeSent: 0, revived: 0, unpaid: 0 }
    for (let seed = 1; seed <= sequences; seed++) {
      const play = new Play(seed)
      const before = play.purse.amount
      for (let i = 0; i < steps; i++) {
        play.step()
        let cost = 0
        for (const { deliveries, identity } of play.verifications) {
          for (const delivery of deliveries) {
            const price = priceOf(prices, delivery.channel, identity.canonical) ?? 0
            if (delivery.price?.amount !== price) assert.fail(`seed ${seed}: another price`)
            const maybeSent = dead(delivery) && delivery.unanswered === true
            if (maybeSent) seen.maybeSent++
            // A message that proves to be sent after the balance is empty costs nothing.
            if (delivery.price?.day == null) seen.unpaid++
            else if (!dead(delivery) || maybeSent) cost += price
          }
        }
        if (play.purse.amount !== before - cost) assert.fail(`seed ${seed}, step ${i}: ${play.purse.amount}`)
      }
      // Charges and refunds alternate: a message is charged again only after a refund.
      const byItem = Map.groupBy(play.purse.booked, ({ item, reference }) => `${reference} ${item}`)
      for (const moves of byItem.values()) {
        const wanted = moves.map((_move, i) => (i % 2 === 0 ? "SEND" : "REFUND"))
        assert.deepStrictEqual(
          moves.map(({ kind }) => kind),
          wanted,
          `seed ${seed}`
        )
        if (moves.length > 2) seen.revived++
      }
      seen.booked += play.purse.booked.length
      seen.refunds += play.purse.booked.filter(({ kind }) => kind === "REFUND").length
      seen.refused += play.refused
      seen.fallbacks += play.verifications.filter(({ fallback }) => fallback?.used === true).length
    }
    for (const [what, n] of Object.entries(seen)) assert.isAbove(n, 20, what)
  })
})
