import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { created, paused } from "../../src/engagement/campaign/changeCampaign.ts"
import * as Restore from "../../src/data/restore/Restore.ts"

const now = 1_800_000_000_000
const checked = { name: "Diwali", channel: "SMS", template: "diwali", csv: "" } as const
const made = { environment: "env", id: "cmp_1", command: null, text: { id: "tpl_1", version: 3 }, total: 7 }
const campaignAt = (startAt: number) => created({ ...checked, startAt }, made, now).campaign

/** A kind of work by its name; those that fold facts are made by one mechanism, which is given the name. */
const declaration = /^.*(?:= JobKind\.make\("|^ +name: "(?=\w+\.fold"))([^"]+)"/gm

/** The names of all kinds of work that are declared. */
const declared = () => {
  const folder = new URL("../../src/", import.meta.url)
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => [...readFileSync(new URL(name, folder), "utf8").matchAll(declaration)])
    .filter(([line]) => !line.trimStart().startsWith("*"))
    .map(([, kind]) => kind!)
}

describe("after a restore", () => {
  it("no kind of work writes to people a second time, and every kind is known to or not to", () => {
    // Work on storage, and what is told to machines, which know an event by its id. A campaign's work asks its state.
    const others = [
      "webhook",
      "replay",
      "expiry",
      "erase",
      "inbound",
      "give-back",
      "balance-low",
      "campaign",
      "example",
      "attribution.fold",
      "stat.fold",
      "sign-in-refused"
    ]
    assert.sameMembers(declared(), [...Restore.kindsToPeople, ...others])
    assert.sameMembers([...Restore.kindsToPeople], ["send", "fallback", "sign-in-code", "reply"])
  })

  it("a campaign that runs, or would begin, waits until somebody resumes it", () => {
    for (const campaign of [campaignAt(now), campaignAt(now + 3_600_000)]) {
      assert.deepStrictEqual(Restore.pauseCampaign(campaign), { ...campaign, status: "PAUSED", pausedFor: "PERSON" })
    }
  })

  it("a campaign that waits or is over stays as it is", () => {
    const running = campaignAt(now)
    const waiting = Result.getOrThrow(paused(running))!.campaign
    for (const campaign of [waiting, { ...running, status: "DONE" }, { ...running, status: "CANCELLED" }] as const) {
      assert.isNull(Restore.pauseCampaign(campaign))
    }
  })
})
