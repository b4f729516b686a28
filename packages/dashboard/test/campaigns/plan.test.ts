import { assert, describe, it } from "vitest"
import {
  blockedBy,
  bodyOf,
  type Campaign,
  deedsOf,
  type DryRun,
  emptyPlan,
  isMoving,
  missingIn,
  partsOf,
  type Plan,
  type Step,
  stepMark,
  steps,
  suffices,
  wrongLines
} from "../../src/screens/campaigns/plan.ts"
import { say } from "../../src/screens/campaigns/words.ts"

const plan: Plan = { ...emptyPlan, name: "Sunday", template: "tpl_1" }
const run: DryRun = {
  total: 2,
  duplicates: 0,
  invalid: [],
  invalidTotal: 0,
  invalidLines: 0,
  skippable: true,
  unused: [],
  optedOut: 0,
  segments: null,
  cost: 40,
  currency: "INR"
}
const now = Date.parse("2026-11-22T10:00:00.000Z")

describe("a new campaign", () => {
  it("reports the first missing input, and nothing when it is complete", () => {
    assert.strictEqual(blockedBy(emptyPlan, "", null, now), say.missing.name)
    assert.strictEqual(blockedBy({ ...plan, template: "" }, "", null, now), say.missing.template)
    assert.strictEqual(blockedBy(plan, " ", null, now), say.missing.list)
    assert.strictEqual(blockedBy(plan, "phone\n+91", null, now), say.missing.check)
    const invalid = { ...run, invalidTotal: 1, invalidLines: 1 }
    assert.strictEqual(blockedBy(plan, "x", invalid, now), say.missing.fixOrSkip)
    assert.isUndefined(blockedBy(plan, "x", invalid, now, true))
    assert.strictEqual(blockedBy(plan, "x", { ...invalid, skippable: false }, now, true), say.missing.fixRows)
    assert.strictEqual(blockedBy(plan, "x", { ...invalid, total: 0 }, now, true), say.missing.noRecipients)
    assert.strictEqual(blockedBy(plan, "x", { ...run, optedOut: 2 }, now), say.missing.noRecipients)
    assert.isUndefined(blockedBy(plan, "x", run, now))
  })

  it("starts at a time in the future", () => {
    const later = (at: string) => missingIn("start", { ...plan, when: "later", at }, "x", run, now)
    assert.strictEqual(later(""), say.missing.when)
    assert.strictEqual(later("2020-01-01T10:00"), say.missing.past)
    assert.isUndefined(later("2090-01-01T10:00"))
    assert.notProperty(bodyOf(plan, "x"), "startAt")
    assert.match(bodyOf({ ...plan, when: "later", at: "2090-01-01T10:00" }, "x").startAt!, /Z$/)
  })

  it("is covered by the available balance when messages are charged", () => {
    assert.deepStrictEqual([suffices(40, 40), suffices(41, 40), suffices(0, 0)], [true, false, null])
    assert.deepStrictEqual([suffices(null, 0), suffices(40, null)], [null, null])
  })
})

describe("a campaign's progress", () => {
  const campaign = {
    status: "RUNNING",
    total: 20,
    pending: 5,
    sent: 10,
    delivered: 7,
    read: 3,
    failed: 2,
    skipped: 3
  } as Campaign
  it("counts each recipient in exactly one status", () => {
    assert.deepStrictEqual(Object.fromEntries(partsOf(campaign).map(({ key, value }) => [key, value])), {
      read: 3,
      delivered: 4,
      sent: 3,
      failed: 2,
      skipped: 3,
      pending: 5
    })
    assert.strictEqual(
      partsOf(campaign).reduce((sum, { value }) => sum + value, 0),
      campaign.total
    )
  })

  it("changes until it is done and its receipts have arrived", () => {
    assert.isTrue(isMoving(campaign))
    assert.isTrue(isMoving({ ...campaign, status: "DONE" }))
    assert.isFalse(isMoving({ ...campaign, status: "DONE", delivered: 10 }))
    assert.isFalse(isMoving({ ...campaign, status: "PAUSED" }))
  })

  it("says why an action is not possible", () => {
    const reasons = (status: Campaign["status"]) => Object.values(deedsOf({ status })).map((why) => why ?? null)
    assert.deepStrictEqual(reasons("RUNNING"), [null, say.blocked.runs, null])
    assert.deepStrictEqual(reasons("SCHEDULED"), [null, say.blocked.runs, null])
    assert.deepStrictEqual(reasons("PAUSED"), [say.blocked.paused, null, null])
    assert.deepStrictEqual(reasons("DONE"), [say.blocked.done, say.blocked.done, say.blocked.done])
    assert.deepStrictEqual(
      reasons("CANCELLED"),
      Array.from({ length: 3 }, () => say.blocked.cancelled)
    )
  })
})

describe("the steps of a new campaign", () => {
  it("have a check mark only when complete and before the current one", () => {
    const marks = (at: Step, csv: string) => steps.map((each) => stepMark(each, at, plan, csv, null, 0))
    assert.deepStrictEqual(marks("check", "phone\n+919812345678"), ["✓", "✓", "3", "4"])
    assert.deepStrictEqual(marks("check", ""), ["✓", "2", "3", "4"])
    assert.deepStrictEqual(marks("text", "phone\n+919812345678"), ["1", "2", "3", "4"])
  })
})

describe("the number of invalid lines in a list", () => {
  const problem = (line: number, column: string) => ({ line, column, problem: "", code: null, params: {} })

  it("is the service's, which names only the first problems of a long list", () => {
    assert.strictEqual(wrongLines({ invalid: [problem(2, "phone"), problem(2, "name")], invalidLines: 7 }), 7)
  })

  it("includes the line after which the list cannot be read", () => {
    assert.strictEqual(wrongLines({ invalid: [problem(3, "phone"), problem(7, "phone")], invalidLines: 1 }), 2)
  })
})
