import { assert, describe, it } from "@effect/vitest"
import { attentionOf, type AttentionFacts } from "../../src/data/attention/attentionOf.ts"
import { prefixOf } from "../../src/data/attention/prefixOf.ts"
import { lowAgainst, rule, unusualOf, type WindowCounts } from "../../src/data/attention/unusual.ts"
import { drawsOf } from "../fixtures/draws.ts"

type Share = Parameters<typeof lowAgainst>[0]

/** Shares of any size, the last weeks often alike. */
const eachCase = (check: (now: Share, weeks: ReadonlyArray<Share>) => void) => {
  const draw = drawsOf(5)
  const share = (most: number, around: number) => {
    const of = Math.floor(most * draw() ** 2)
    return { of, hits: Math.min(of, Math.floor(of * Math.min(1, around + 0.05 * draw()))) }
  }
  for (let n = 0; n < 3_000; n++) {
    const usual = draw()
    const weeks = Array.from({ length: Math.floor(5 * draw()) }, () => share(5_000, usual))
    check(share(draw() < 0.5 ? 100 : 5_000, draw() < 0.5 ? usual : draw()), weeks)
  }
}

const counts = (country: string, asked: number, verified: number): WindowCounts => ({
  channel: "SMS",
  country,
  asked,
  verified,
  sent: asked,
  delivered: asked
})

describe("a share", () => {
  it("is never low with fewer than 50 requests, or without two weeks of 30 requests to compare with", () => {
    const small = { of: rule.leastThen - 1, hits: rule.leastThen - 1 }
    eachCase((now, weeks) => {
      if (now.of < rule.leastNow) assert.isNull(lowAgainst(now, weeks))
      assert.isNull(lowAgainst(now, [...weeks.slice(0, 1), small, small, small]))
    })
  })

  it("that is low is below every week, and stays low when more fail", () => {
    let found = 0
    eachCase((now, weeks) => {
      if (lowAgainst(now, weeks) === null) return
      found++
      for (const { hits, of } of weeks) if (of >= rule.leastThen) assert.isBelow(now.hits / now.of, hits / of)
      if (now.hits > 0) assert.isNotNull(lowAgainst({ ...now, hits: now.hits - 1 }, weeks))
    })
    assert.isAbove(found, 100)
  })

  it("of one of the last weeks is not low", () => {
    eachCase((_, weeks) => {
      for (const week of weeks) if (week.of >= rule.leastThen) assert.isNull(lowAgainst(week, weeks))
    })
  })
})

describe("many starts from a country", () => {
  const usually = Array.from({ length: 4 }, () => [counts("IN", 300, 260), counts("ID", 10, 8)])

  it("are unusual when few are verified, and explain the low conversion", () => {
    const found = unusualOf([counts("IN", 300, 260), counts("ID", 200, 4)], usually)
    assert.deepStrictEqual(found, [{ code: "STARTS_UNUSUAL", country: "ID", count: 200, usual: 10, share: 0.02 }])
  })

  it("are not unusual when they are verified as usual, when the country is always that busy, or without a past", () => {
    assert.deepStrictEqual(unusualOf([counts("ID", 200, 170)], usually), [])
    assert.deepStrictEqual(unusualOf([counts("ID", 29, 0)], usually), [])
    assert.deepStrictEqual(unusualOf([counts("ID", 200, 4)], []), [])
    const busy = Array.from({ length: 4 }, () => [counts("IN", 300, 260), counts("ID", 100, 4)])
    assert.deepStrictEqual(unusualOf([counts("ID", 200, 8)], busy), [])
  })

  it("name the beginning of the numbers when at least half of them share it", () => {
    assert.strictEqual(prefixOf(["628123400011", "628123411122", "628199922233"]), "+6281234")
    assert.isNull(prefixOf(["628123400011", "628234511122", "628199922233"]))
    assert.isNull(prefixOf(["628123400011"]))
    assert.isNull(prefixOf([]))
  })

  it("never show more of a short number than leaves five digits", () => {
    assert.strictEqual(prefixOf(["29012345", "29012345"]), "+290")
  })
})

describe("what needs attention", () => {
  const channel = {
    channel: "SMS",
    provider: "twilio",
    role: "PRIMARY",
    breaker: { state: "CLOSED", until: null },
    carriers: [],
    waiting: 0,
    oldestWaitingAt: null
  } as const
  const calm: AttentionFacts = {
    settings: { billing: "PREPAID" },
    channels: [channel],
    balance: { available: 100, balance: 100, currency: "INR", low: false, spentToday: [] },
    webhooks: [],
    waiting: { count: 0, more: false, since: null },
    keys: [],
    unusual: []
  }
  const now = 1_000_000_000
  const codesOf = (facts: Partial<AttentionFacts>) => attentionOf({ ...calm, ...facts }, now).map(({ code }) => code)
  const open = { state: "OPEN", until: now + 9 } as const

  it("is nothing while everything works", () => assert.deepStrictEqual(codesOf({}), []))

  it("is a channel without a provider, a paused one, a paused carrier, or messages that are 30 seconds late", () => {
    assert.deepStrictEqual(codesOf({ channels: [{ ...channel, provider: null }] }), ["NO_CHANNEL"])
    assert.deepStrictEqual(
      codesOf({ channels: [channel, { ...channel, channel: "RCS", role: "FALLBACK", provider: null }] }),
      ["CHANNEL_OFF"]
    )
    assert.deepStrictEqual(codesOf({ channels: [{ ...channel, breaker: open }] }), ["CHANNEL_PAUSED"])
    const carriers = [{ carrier: "twilio", breaker: open, perSecond: null, prefixes: [] }]
    assert.deepStrictEqual(codesOf({ channels: [{ ...channel, carriers }] }), ["CARRIER_PAUSED"])
    const waits = (since: number) => codesOf({ channels: [{ ...channel, waiting: 3, oldestWaitingAt: since }] })
    assert.deepStrictEqual(waits(now - 30_000), [])
    assert.deepStrictEqual(waits(now - 30_001), ["CHANNEL_LATE"])
  })

  it("is money only with billing on: no balance, a low one, or a reached cap", () => {
    const none = { ...calm.balance, available: 0, low: true }
    assert.deepStrictEqual(codesOf({ balance: none }), ["NO_BALANCE"])
    assert.deepStrictEqual(codesOf({ balance: none, settings: { billing: "OFF" } }), [])
    const spentToday = [{ channel: "SMS", amount: 5, cap: 5 }]
    assert.deepStrictEqual(codesOf({ balance: { ...calm.balance, low: true, spentToday } }), [
      "CAP_REACHED",
      "BALANCE_LOW"
    ])
  })

  it("is a webhook that fails or was disabled for it, waiting customers, and a secret in its last day", () => {
    const webhook = {
      id: "whk_1",
      url: "https://a.example",
      status: "ACTIVE",
      failingSince: null,
      disabledReason: null
    } as const
    const off = { ...webhook, status: "DISABLED" } as const
    assert.deepStrictEqual(
      codesOf({
        webhooks: [
          webhook,
          { ...webhook, failingSince: 5 },
          { ...off, disabledReason: "GONE" },
          { ...off, disabledReason: "MERCHANT" }
        ]
      }),
      ["WEBHOOK_OFF", "WEBHOOK_FAILING"]
    )
    assert.deepStrictEqual(codesOf({ waiting: { count: 2, more: false, since: 5 } }), ["CUSTOMERS_WAITING"])
    const key = { id: "cs_live_1", name: null }
    const day = 86_400_000
    assert.deepStrictEqual(
      codesOf({
        keys: [
          { ...key, retiringAt: null },
          { ...key, retiringAt: now + day + 1 }
        ]
      }),
      []
    )
    assert.deepStrictEqual(codesOf({ keys: [{ ...key, retiringAt: now + day }] }), ["KEY_RETIRING"])
  })
})
