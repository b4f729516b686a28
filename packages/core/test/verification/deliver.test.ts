import { assert, describe, it } from "@effect/vitest"
import { deliver } from "../../src/index.ts"
import { emptyBalance, noPrices, type VerificationStore } from "../../src/index.storage.ts"
import { latencyClass } from "../../src/account/stat/latencyClass.ts"
import {
  afterReports,
  changed,
  countedAs,
  fresh,
  plain,
  report,
  settingsWith,
  startedWith
} from "../fixtures/decisions.ts"
import { start } from "../fixtures/World.ts"
import type { DeliveryReport } from "../../src/auth/verification/deliver.ts"

const lease = { key: "send:dlv_1", fence: 2 }
const now = start + 5000

/** A verification with several messages. */
const withDeliveries = (...statuses: ReadonlyArray<"PENDING" | DeliveryReport["status"]>) => {
  const { subject, verification } = startedWith()
  const [first] = verification.deliveries
  const deliveries = statuses.map((status, i) => ({
    ...first!,
    id: `dlv_${i + 1}`,
    attemptNumber: i + 1,
    status,
    ...(status === "SENT" ? { sentAt: start } : {})
  }))
  return { subject, verification: { ...verification, deliveries } }
}

const permutations = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.length < 2
    ? [items]
    : items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]))

/** Forward steps, including those that a provider skips, and the two other final states. */
const allowed = [
  "PENDING SENT",
  "PENDING DELIVERED",
  "PENDING READ",
  "PENDING FAILED",
  "PENDING SKIPPED",
  "SENT DELIVERED",
  "SENT READ",
  "SENT FAILED",
  "DELIVERED READ",
  // The provider reports that it has the message after all.
  "SKIPPED SENT",
  "SKIPPED DELIVERED",
  "SKIPPED READ"
]
const reported = ["SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"] as const

describe("receipts", () => {
  it("move a delivery forward and keep the provider's details", () => {
    const loaded = startedWith()
    const [delivery] = loaded.verification.deliveries
    const verification = {
      ...loaded.verification,
      deliveries: [{ ...delivery!, sentAt: now, status: "SENT" as const, providerId: "m1" }]
    }
    const decision = deliver(loaded, [{ ...report("dlv_1", "SENT"), providerId: "m1" }], fresh, noPrices, lease, now)
    assert.deepStrictEqual(plain(decision), {
      outcome: { _tag: "Advanced", verification },
      change: {
        subject: loaded.subject,
        verification,
        orderId: null,
        deviceId: null,
        events: [],
        jobs: [],
        done: lease,
        facts: [countedAs({ "sent SMS": 1, [`toSend.${latencyClass(now - start)} SMS`]: 1 })],
        folded: [],
        audited: [],
        booked: []
      }
    })
    const next = deliver({ ...loaded, verification }, [report("dlv_1", "DELIVERED")], fresh, noPrices, null, now + 1)
    assert.deepStrictEqual(next.change?.verification?.deliveries, [
      { ...delivery!, status: "DELIVERED", sentAt: now, deliveredAt: now + 1, providerId: "m1" }
    ])
  })

  it("keep when a message was sent, delivered and read, and set the time of a skipped step", () => {
    const { subject, verification } = startedWith()
    const times = (...reports: ReadonlyArray<DeliveryReport["status"]>) => {
      const next = reports.reduce(
        (loaded: VerificationStore.Loaded, status, i) => {
          const { change } = deliver(loaded, [report("dlv_1", status)], fresh, noPrices, null, now + i)
          return { subject, verification: change?.verification ?? loaded.verification }
        },
        { subject, verification }
      )
      const { deliveredAt, readAt, sentAt } = next.verification.deliveries[0]!
      return [sentAt, deliveredAt, readAt]
    }
    assert.deepStrictEqual(times("SENT", "SENT", "DELIVERED", "SENT", "READ"), [now, now + 2, now + 4])
    assert.deepStrictEqual(times("READ", "DELIVERED"), [now, now, now])
    assert.deepStrictEqual(times("SENT", "FAILED", "DELIVERED"), [now, undefined, undefined])
  })

  it("may arrive together", () => {
    const { change } = deliver(
      startedWith(),
      [report("dlv_1", "SENT"), report("dlv_1", "DELIVERED")],
      fresh,
      noPrices,
      null,
      now
    )
    assert.strictEqual(change?.verification?.deliveries[0]?.status, "DELIVERED")
  })

  it.each([
    ["about a delivery that is not known", [report("dlv_404", "FAILED")]],
    ["about nothing", []]
  ])("change nothing: %s", (_what, reports) => {
    assert.deepStrictEqual(deliver(startedWith(), reports, fresh, noPrices, lease, now), {
      outcome: { _tag: "Unchanged" },
      change: null
    })
  })

  it.each(["SENT", "DELIVERED", "READ"] as const)("end in the furthest status in any order, up to %s", (furthest) => {
    const line = reported.slice(0, reported.indexOf(furthest) + 1)
    for (const order of permutations([...line, ...line.slice(0, 2)])) {
      assert.strictEqual(afterReports(order), furthest, order.join(" "))
    }
  })

  it("never move a delivery backwards, in any order of all receipts", () => {
    for (const order of permutations(reported)) {
      const seen = ["PENDING", ...order.map((_, i) => afterReports(order.slice(0, i + 1)))]
      const steps = order.map((_, i) => `${seen[i]} ${seen[i + 1]}`).filter((_, i) => seen[i] !== seen[i + 1])
      for (const step of steps) assert.include(allowed, step, order.join(" "))
      // The first receipt always counts, and so does each later one that may follow it.
      assert.strictEqual(steps[0], `PENDING ${order[0]}`)
      const follows = order.find((status) => allowed.includes(`${order[0]} ${status}`))
      assert.strictEqual(steps[1], follows === undefined ? undefined : `${order[0]} ${follows}`)
    }
  })
})

describe("a delivery that was released as never sent", () => {
  const price = { amount: 20, day: "2030-01-07", cap: 40 }
  const budget = (amount: number) => ({
    settings: settingsWith({ prices: { SMS: 20 } }),
    funds: { balance: { ...emptyBalance("env"), amount }, day: "2030-01-08", spent: {} }
  })
  const ended = (status: "SKIPPED" | "FAILED", providerCode: string | null) => {
    const { subject, verification } = withDeliveries(status)
    return {
      subject,
      verification: { ...verification, deliveries: [{ ...verification.deliveries[0]!, price, providerCode }] }
    }
  }
  const booked = (loaded: ReturnType<typeof ended>, status: "SENT" | "DELIVERED" | "FAILED", amount: number) => {
    const { change } = deliver(loaded, [report("dlv_1", status)], fresh, budget(amount), null, now)
    const [delivery] = change?.verification?.deliveries ?? []
    return [delivery?.status, delivery?.providerCode, change?.booked.map((one) => `${one.kind} ${one.amount}`)]
  }
  const unchanged = [undefined, undefined, undefined]

  it.each([
    ["no longer needed", "SKIPPED", null],
    ["expired", "FAILED", "not_sent_in_time"]
  ] as const)("is SENT and charged when its provider has it after all: %s", (_why, status, code) => {
    const loaded = ended(status, code)
    assert.deepStrictEqual(booked(loaded, "SENT", 20), ["SENT", null, ["SEND -20"]])
    assert.deepStrictEqual(booked(loaded, "DELIVERED", 20), ["DELIVERED", null, ["SEND -20"]])
    assert.deepStrictEqual(booked(loaded, "SENT", 19), ["SENT", null, []], "the balance does not reach")
    assert.deepStrictEqual(booked(loaded, "FAILED", 20), unchanged)
  })

  it("stays FAILED when its provider refused it", () => {
    assert.deepStrictEqual(booked(ended("FAILED", "blocked"), "SENT", 20), unchanged)
  })
})

describe("failed deliveries", () => {
  it("FAIL the verification when no other delivery is left, with one event that lists them", () => {
    const loaded = withDeliveries("FAILED", "SENT")
    const deliveries = [
      loaded.verification.deliveries[0]!,
      { ...loaded.verification.deliveries[1]!, status: "FAILED" as const, providerCode: "blocked" }
    ]
    const verification = { ...loaded.verification, deliveries, status: "FAILED" as const, undeliverable: true }
    const decision = deliver(
      loaded,
      [{ ...report("dlv_2", "FAILED"), providerCode: "blocked" }],
      fresh,
      noPrices,
      lease,
      now
    )
    assert.deepStrictEqual(plain(decision), {
      outcome: { _tag: "Advanced", verification },
      change: {
        subject: { ...loaded.subject, live: [] },
        verification,
        orderId: null,
        deviceId: null,
        events: [
          {
            id: "evt_9",
            environment: "env",
            type: "delivery.failed",
            createdAt: now,
            data: {
              requestId: "ver_1",
              identity: "9876543210",
              identityType: "MOBILE",
              mode: "OTP",
              channel: "SMS",
              orderId: null,
              deliveries: [
                {
                  channel: "SMS",
                  type: "OTP",
                  deliveryStatus: "FAILED",
                  attemptNumber: 1,
                  carrier: null,
                  providerCode: null
                },
                {
                  channel: "SMS",
                  type: "OTP",
                  deliveryStatus: "FAILED",
                  attemptNumber: 2,
                  carrier: null,
                  providerCode: "blocked"
                }
              ]
            }
          }
        ],
        jobs: [],
        done: lease,
        facts: [countedAs({ "bounced SMS": 1, "failed SMS": 1, "lost.NOT_DELIVERED SMS": 1 })],
        folded: [],
        audited: [],
        booked: []
      }
    })
  })

  it.each([
    [["FAILED", "PENDING"], 2, "FAILED", "FAILED"],
    [["PENDING"], 1, "FAILED", "FAILED"],
    [["PENDING", "SENT"], 1, "FAILED", "PENDING"],
    [["PENDING", "DELIVERED"], 1, "FAILED", "PENDING"],
    [["PENDING", "READ"], 1, "FAILED", "PENDING"],
    [["FAILED", "PENDING"], 2, "SKIPPED", "PENDING"],
    [["SKIPPED", "PENDING"], 2, "FAILED", "FAILED"],
    [["PENDING"], 1, "SKIPPED", "PENDING"]
  ] as const)("of %j, number %i %s: the verification is %s", (before, number, status, after) => {
    const { change } = deliver(withDeliveries(...before), [report(`dlv_${number}`, status)], fresh, noPrices, null, now)
    assert.strictEqual(change?.verification?.status, after)
    assert.strictEqual(change?.verification?.undeliverable, after === "FAILED")
    assert.strictEqual(change?.events.length, after === "FAILED" ? 1 : 0)
  })

  it.each(["VERIFIED", "EXPIRED", "FAILED"] as const)("change no verification that is %s", (status) => {
    const { subject, verification } = startedWith()
    const { change } = deliver(
      { subject, verification: changed(verification, { status }) },
      [report("dlv_1", "FAILED")],
      fresh,
      noPrices,
      null,
      now
    )
    assert.deepStrictEqual(
      [change?.verification?.status, change?.verification?.undeliverable, change?.events, change?.subject],
      [status, false, [], subject]
    )
  })
})

describe("a failed delivery with a fallback left", () => {
  const withFallback = (first: "SENT" | "DELIVERED" | "READ") => {
    const { subject, verification } = startedWith({ fallback: { channel: "WHATSAPP", after: 60_000 } })
    const sent = verification.deliveries[0]!
    const deliveries = [
      { ...sent, status: first },
      { ...sent, id: "dlv_2", attemptNumber: 2 }
    ]
    return { subject, verification: { ...verification, deliveries } }
  }

  it.each([
    ["SENT", 1],
    ["DELIVERED", 0],
    ["READ", 0]
  ] as const)("when the message before it is %s adds %i more", (first, more) => {
    const { change } = deliver(withFallback(first), [report("dlv_2", "FAILED")], fresh, noPrices, null, now)
    assert.strictEqual(change?.jobs.length, more)
    assert.strictEqual(change?.verification?.deliveries.length, 2 + more)
  })
})
