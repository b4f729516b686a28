import { assert, describe, it } from "vitest"
import { isGrave, type State, troubleOf } from "../../src/screens/overview/trouble.ts"

const now = Date.parse("2026-01-31T09:30:00.000Z")
const sms = {
  channel: "SMS" as const,
  role: "PRIMARY" as const,
  enabled: true,
  breaker: { state: "CLOSED" as const, until: null },
  waiting: 0,
  oldestWaitingAt: null
}
const fine: State = {
  channels: [sms, { ...sms, channel: "RCS", role: null, enabled: false }],
  endpoints: [{ id: "whk_1", url: "https://a.example/", status: "ACTIVE", disabledReason: null, failingSince: null }],
  balance: { balance: 900, available: 900, currency: "INR", low: false, spentToday: [] },
  billing: "PREPAID",
  waiting: { count: 0, since: null, more: false }
}
const kinds = (state: Partial<State>) => troubleOf({ ...fine, ...state }, now).map(({ kind }) => kind)
const endpoint = (given: Partial<NonNullable<State["endpoints"]>[number]>) => ({
  endpoints: [{ ...fine.endpoints![0]!, ...given }]
})
const balance = (given: Partial<NonNullable<State["balance"]>>) => ({ balance: { ...fine.balance!, ...given } })

describe("issues of the overview", () => {
  it("there are no issues when all is well or data is still loading", () => {
    assert.deepStrictEqual(kinds({}), [])
    assert.deepStrictEqual(kinds({ channels: null, endpoints: null, balance: null, billing: null, waiting: null }), [])
  })

  it("a failing endpoint and one disabled by the service are issues, one disabled by a user is not", () => {
    assert.deepStrictEqual(kinds(endpoint({ failingSince: "2026-01-31T09:30:00.000Z" })), ["endpointFailing"])
    assert.deepStrictEqual(kinds(endpoint({ status: "DISABLED", disabledReason: "FAILING" })), ["endpointOff"])
    assert.deepStrictEqual(kinds(endpoint({ status: "DISABLED", disabledReason: "GONE" })), ["endpointOff"])
    assert.deepStrictEqual(kinds(endpoint({ status: "DISABLED", disabledReason: "MERCHANT" })), [])
  })

  it("an empty balance comes first, and a low balance is not urgent", () => {
    const failing = endpoint({ failingSince: "2026-01-31T09:30:00.000Z" })
    const empty = { ...failing, ...balance({ balance: -50, available: 0, low: true }) }
    assert.deepStrictEqual(kinds(empty), ["noMoney", "endpointFailing"])
    assert.deepStrictEqual(kinds(balance({ low: true })), ["balanceLow"])
    assert.deepStrictEqual(troubleOf({ ...fine, ...balance({ low: true }) }, now).map(isGrave), [false])
  })

  it("customers waiting for a reply are an issue that is not urgent", () => {
    const waiting = { count: 2, since: "2026-01-31T09:00:00.000Z", more: false }
    const all = troubleOf({ ...fine, waiting }, now)
    assert.deepStrictEqual(all, [{ kind: "waiting", ...waiting }])
    assert.isFalse(isGrave(all[0]!))
  })

  it("a channel that reached its daily cap is an issue", () => {
    const spentToday = [
      { channel: "SMS", amount: 500, cap: 500 },
      { channel: "EMAIL", amount: 500, cap: null }
    ]
    assert.deepStrictEqual(kinds(balance({ spentToday })), ["capReached"])
  })

  it("a channel in use is an issue when it is paused, delayed or without a provider, an unused one is not", () => {
    const channels = (given: Partial<typeof sms> | object) => ({ channels: [{ ...sms, ...given }, sms] })
    assert.deepStrictEqual(kinds(channels({ breaker: { state: "OPEN", until: null } })), ["breaker"])
    assert.deepStrictEqual(kinds(channels({ breaker: { state: "HALF_OPEN", until: null } })), ["breaker"])
    assert.deepStrictEqual(kinds(channels({ waiting: 3, oldestWaitingAt: "2026-01-31T09:00:00.000Z" })), ["late"])
    assert.deepStrictEqual(kinds(channels({ enabled: false })), ["channelOff"])
    assert.deepStrictEqual(kinds({ channels: [{ ...sms, enabled: false }] }), ["noChannel"])
  })

  it("the balance is no issue while billing is off", () => {
    assert.deepStrictEqual(kinds({ ...balance({ available: 0, low: true }), billing: "OFF" }), [])
  })
})
