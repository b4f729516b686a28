import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Agent } from "../../src/auth/staff/Agent.ts"
import type { Device } from "../../src/auth/staff/Device.ts"
import { devicesOf, mostDevices, withDevice, withoutDevices } from "../../src/auth/staff/deviceRules.ts"
import type { Lead } from "../../src/engagement/lead/Lead.ts"
import type { Presence } from "../../src/engagement/lead/Presence.ts"
import {
  nextPush,
  pushed,
  type PushFacts,
  PushResult,
  type PushState,
  recorded,
  resultOf,
  wantsPush
} from "../../src/engagement/lead/push.ts"
import { days, minutes, seconds } from "../../src/foundation/time/Instant.ts"
import { start } from "../fixtures/World.ts"

const device = (id: string, more: Partial<Device> = {}): Device => ({
  id,
  endpoint: `https://push.example.com/${id}`,
  p256dh: "BAAA",
  auth: "AAAA",
  keyId: "0a",
  sessionId: `ses_${id}`,
  userAgent: null,
  addedAt: start,
  seenAt: start,
  ...more
})

const agent = (id: number, more: Partial<Agent> = {}): Agent => ({
  merchantId: "mer_1",
  id,
  version: 1,
  email: `agent-${id}@shop.example`,
  canonical: `agent-${id}@shop.example`,
  role: "AGENT",
  status: "ACTIVE",
  era: 0,
  agreedAt: start,
  removedAt: null,
  createdAt: start,
  devices: [device(`d${id}`)],
  ...more
})

const lead = (more: Partial<Lead> = {}): Lead => ({
  environment: "env_1",
  id: 7,
  version: 1,
  contact: "919876543210",
  phone: "919876543210",
  userId: null,
  name: null,
  namedAt: null,
  status: "OPEN",
  assignedTo: null,
  labels: [],
  teamId: null,
  origin: "INBOUND",
  campaignId: null,
  referral: null,
  lastMessageAt: start,
  lastInboundAt: start,
  receiver: "100",
  unansweredSince: start,
  snoozedUntil: null,
  unreadCount: 1,
  received: 1,
  entries: 1,
  createdAt: start,
  ...more
})

const viewer = (agentId: number, seenAt: number): Presence => ({
  environment: "env_1",
  leadId: 7,
  agentId,
  email: "",
  typing: false,
  since: seenAt,
  seenAt
})

const initial: PushState = { received: 0, sentAt: null, tries: 0 }
const facts = (more: Partial<PushFacts> = {}): PushFacts => ({
  lead: lead(),
  agents: [agent(1), agent(2)],
  viewers: [],
  state: initial,
  ...more
})
const agentsOf = (given: Partial<PushFacts>, now = start) => {
  const step = nextPush(facts(given), now)
  return step._tag === "Push" ? step.targets.map(({ agentId }) => agentId) : step._tag
}

describe("the decision about a push", () => {
  it("pushes an unassigned lead to every agent with a device, and an assigned one to its agent alone", () => {
    assert.deepStrictEqual(agentsOf({}), [1, 2])
    assert.deepStrictEqual(agentsOf({ lead: lead({ assignedTo: 2 }) }), [2])
    assert.strictEqual(agentsOf({ lead: lead({ assignedTo: 3 }) }), "End")
  })

  it("pushes to no one who may not answer, has the lead open, or was not at the dashboard for 30 days", () => {
    assert.deepStrictEqual(agentsOf({ agents: [agent(1, { role: "VIEWER" }), agent(2)] }), [2])
    assert.deepStrictEqual(agentsOf({ agents: [agent(1, { status: "SUSPENDED" }), agent(2)] }), [2])
    assert.deepStrictEqual(agentsOf({ agents: [agent(1, { removedAt: start }), agent(2)] }), [2])
    assert.deepStrictEqual(agentsOf({ viewers: [viewer(1, start - seconds(39))] }), [2])
    assert.deepStrictEqual(agentsOf({ viewers: [viewer(1, start - seconds(40))] }), [1, 2])
    assert.strictEqual(agentsOf({}, start + days(30)), "End")
  })

  it("ends when the lead is answered, closed, snoozed or erased, and when every message was pushed", () => {
    for (const waits of [
      null,
      lead({ unansweredSince: null }),
      lead({ status: "CLOSED" }),
      lead({ snoozedUntil: start + 1 })
    ])
      assert.strictEqual(agentsOf({ lead: waits }), "End")
    assert.strictEqual(agentsOf({ state: { received: 1, sentAt: start - minutes(1), tries: 0 } }), "End")
  })

  it("waits a minute after a push, and at most a minute when the clock was set back", () => {
    const state = { received: 1, sentAt: start, tries: 0 }
    const news = facts({ lead: lead({ received: 2 }), state })
    assert.deepStrictEqual(nextPush(news, start + 1), { _tag: "Later", at: start + minutes(1) })
    assert.deepStrictEqual(nextPush(news, start - days(1)), { _tag: "Later", at: start - days(1) + minutes(1) })
    assert.strictEqual(nextPush(news, start + minutes(1))._tag, "Push")
  })

  it("tries again only while no device accepted the push, and at most five times", () => {
    const state = recorded(initial, start)
    assert.deepStrictEqual(pushed(state, lead(), ["FAILED", "SENT", "GONE"]), { ...state, received: 1 })
    assert.deepStrictEqual(pushed(state, lead(), ["GONE"]), { ...state, received: 1 })
    assert.deepStrictEqual(pushed(state, lead(), ["FAILED", "GONE"]), { ...state, tries: 1 })
    assert.deepStrictEqual(pushed({ ...state, tries: 4 }, lead(), ["FAILED"]), { ...state, received: 1, tries: 0 })
    assert.deepStrictEqual(
      [200, 201, 204, 404, 410, 400, 403, 429, 500, 301].map((status) => resultOf({ status })),
      ["SENT", "SENT", "SENT", "GONE", "GONE", "FAILED", "FAILED", "FAILED", "FAILED", "FAILED"]
    )
  })

  const second = (most: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: most }))
  const Day = Schema.Struct({
    messages: Schema.Array(second(600)).check(Schema.isMaxLength(12)),
    answers: Schema.Array(second(600)).check(Schema.isMaxLength(4)),
    /** When a process dies while it sends. */
    deaths: Schema.Array(second(8)).check(Schema.isMaxLength(4)),
    results: Schema.Array(Schema.Literals(PushResult)).check(Schema.isMaxLength(8))
  })

  it.prop(
    "never pushes twice within a minute, and loses no waiting message, even when processes die while they send",
    [Day],
    ([{ answers, deaths, messages, results }]) => {
      const times = messages.map((at) => start + seconds(at)).toSorted((a, b) => a - b)
      const answered = answers.map((at) => start + seconds(at))
      const leadAt = (now: number) => {
        const since = Math.max(0, ...answered.filter((at) => at <= now))
        const unanswered = times.filter((at) => at <= now && at > since)
        const received = times.filter((at) => at <= now).length
        return lead({ received, unreadCount: unanswered.length, unansweredSince: unanswered[0] ?? null })
      }
      const sent: Array<{ readonly at: number; readonly arrived: boolean; readonly received: number }> = []
      let job: { readonly state: PushState; readonly runAt: number } | null = null
      let number = 0
      for (let now = start; now <= start + seconds(1_800); now += 1_000) {
        if (job === null && times.includes(now)) job = { state: initial, runAt: now + seconds(3) }
        if (job === null || job.runAt > now) continue
        const current = leadAt(now)
        const step = nextPush(facts({ lead: current, agents: [agent(1)], state: job.state }), now)
        if (step._tag === "End") job = null
        else if (step._tag === "Later") job = { ...job, runAt: step.at }
        else {
          const state = recorded(job.state, now)
          const result = results[number % Math.max(1, results.length)] ?? "SENT"
          const dies = deaths.includes(number++)
          sent.push({ at: now, arrived: result !== "FAILED", received: current.received })
          job = { state: dies ? state : pushed(state, current, [result]), runAt: now + minutes(1) }
        }
      }
      for (const [n, { at }] of sent.slice(1).entries()) assert.isAtLeast(at - sent[n]!.at, minutes(1))
      assert.isNull(job)
      // Whoever still waits at the end had a push that counted the last message, or one that no device accepted.
      const last = leadAt(start + seconds(1_800))
      const waits = last.unansweredSince !== null
      if (waits) assert.strictEqual(sent.at(-1)?.received, last.received)
    }
  )

  it("costs nothing while nobody who could answer has a device", () => {
    assert.isFalse(wantsPush(lead(), [agent(1, { devices: null }), agent(2, { devices: [] })], start))
    assert.isFalse(wantsPush(lead({ assignedTo: 1 }), [agent(1, { devices: null }), agent(2)], start))
    assert.isTrue(wantsPush(lead(), [agent(1, { devices: null }), agent(2)], start))
  })
})

describe("an agent's devices", () => {
  it("are at most ten: the ones that were not seen for the longest time make room", () => {
    const ten = Array.from({ length: mostDevices }, (_, n) => device(`d${n}`, { seenAt: start + n }))
    const after = withDevice(ten, device("new", { seenAt: start + 99 }), start + 99)
    assert.strictEqual(after.length, mostDevices)
    assert.isFalse(after.some(({ id }) => id === "d0"))
    assert.strictEqual(after[0]?.id, "new" === after[0]?.id ? "new" : "d9")
  })

  it("change only when something is new, or a day after the last change", () => {
    const one = [device("a")]
    assert.strictEqual(withDevice(one, device("a", { addedAt: start + 1, seenAt: start + 1 }), start + 1), one)
    const next = withDevice(one, device("a", { addedAt: start + days(1), seenAt: start + days(1) }), start + days(1))
    assert.deepStrictEqual(next, [device("a", { seenAt: start + days(1) })])
    assert.strictEqual(withDevice(one, device("a", { sessionId: "ses_b" }), start)[0]?.sessionId, "ses_b")
  })

  it("are removed by what drops them, and the agent stays the same object without any", () => {
    const two = agent(1, { devices: [device("a"), device("b")] })
    assert.deepStrictEqual(withoutDevices(two, ({ id }) => id === "a").devices, [device("b")])
    assert.strictEqual(
      withoutDevices(two, ({ id }) => id === "c"),
      two
    )
    assert.deepStrictEqual(devicesOf(agent(1, { devices: null }), start), [])
  })
})
