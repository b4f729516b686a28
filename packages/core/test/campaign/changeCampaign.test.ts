import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { CampaignStatus } from "../../src/engagement/campaign/Campaign.ts"
import type { Campaign } from "../../src/engagement/campaign/Campaign.ts"
import { cancelled, created, paused, resumed } from "../../src/engagement/campaign/changeCampaign.ts"

const now = 1_800_000_000_000
const hour = 3_600_000
const checked = { name: "Diwali", channel: "SMS", template: "diwali", csv: "", startAt: now } as const
const made = { environment: "env", id: "cmp_1", command: null, text: { id: "tpl_1", version: 3 }, total: 7 }

const fresh = (startAt: number): Campaign => created({ ...checked, startAt }, made, now).campaign

const steps = {
  pause: (campaign: Campaign) => paused(campaign),
  resume: resumed,
  cancel: cancelled
} as const

type Name = keyof typeof steps

const walks = (length: number): ReadonlyArray<ReadonlyArray<Name>> =>
  length === 0
    ? [[]]
    : walks(length - 1).flatMap((walk) => (["pause", "resume", "cancel"] as const).map((name) => [...walk, name]))

const times = [now, now + hour].flatMap((startAt) => [now, now + 2 * hour].map((at) => ({ startAt, at })))

const follow = (walk: ReadonlyArray<Name>, startAt: number, at: number): void => {
  let campaign = fresh(startAt)
  for (const name of walk) {
    const before = campaign
    const step = steps[name](before, at)
    if (Result.isFailure(step)) {
      assert.deepStrictEqual([before.status, name === "cancel"], ["CANCELLED", false])
      continue
    }
    if (step.success === null) {
      const idle = { pause: ["PAUSED"], resume: ["RUNNING", "SCHEDULED"], cancel: ["CANCELLED"] }[name]
      assert.include(idle, before.status)
      continue
    }
    const { deed, jobs } = step.success
    campaign = step.success.campaign
    assert.deepStrictEqual([deed.from, deed.to], [{ status: before.status }, { status: campaign.status }])
    assert.strictEqual(campaign.run - before.run, name === "pause" ? 0 : 1)
    assert.strictEqual(jobs.length, campaign.run - before.run)
    if (name === "resume") {
      assert.strictEqual(campaign.status, startAt > at ? "SCHEDULED" : "RUNNING")
      assert.strictEqual(jobs[0]?.runAt, Math.max(startAt, at))
    }
    const again = steps[name](campaign, at)
    assert.isTrue(Result.isSuccess(again) && again.success === null)
  }
}

describe("a campaign", () => {
  it("is SCHEDULED before its startAt, and keeps the text of its template version and its start job", () => {
    const { campaign, deed, jobs } = created({ ...checked, startAt: now + hour }, made, now)
    assert.deepInclude(campaign, { status: "SCHEDULED", text: made.text, run: 1, version: 0, createdAt: now })
    assert.deepStrictEqual(
      jobs.map(({ key, runAt }) => [key, runAt]),
      [["campaign:cmp_1:1", now + hour]]
    )
    assert.deepInclude(deed, { action: "campaign.created", target: { kind: "campaign", id: "cmp_1" } })
    assert.strictEqual(fresh(now).status, "RUNNING")
  })

  it("accepts pause, resume and cancel in any order: repeats change nothing, resume and cancel start a new job", () => {
    for (const { at, startAt } of times) {
      for (const walk of walks(6)) follow(walk, startAt, at)
    }
  })

  it.each(CampaignStatus)("that is %s refuses changes only when it is over", (status) => {
    const over = status === "DONE" || status === "CANCELLED"
    const asked = [paused({ ...fresh(now), status }), resumed({ ...fresh(now), status }, now)]
    for (const step of asked) assert.strictEqual(Result.isFailure(step), over)
    assert.strictEqual(Result.isFailure(cancelled({ ...fresh(now), status }, now)), status === "DONE")
  })

  it("that is paused for money or a channel is resumed without its problem", () => {
    const waiting: Campaign = { ...fresh(now), status: "PAUSED", pausedFor: "MONEY", problem: "no money" }
    const step = Result.getOrThrow(resumed(waiting, now))
    assert.deepInclude(step?.campaign, { status: "RUNNING", pausedFor: null, problem: null, run: 2 })
    assert.strictEqual(Result.getOrThrow(paused(waiting)), null)
  })
})
