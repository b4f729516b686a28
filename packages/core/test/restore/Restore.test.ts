import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { created, paused } from "../../src/engagement/campaign/changeCampaign.ts"
import * as Restore from "../../src/data/restore/Restore.ts"

const now = 1_800_000_000_000
const checked = { name: "Diwali", channel: "SMS", template: "diwali", csv: "" } as const
const made = { environment: "env", id: "cmp_1", command: null, text: { id: "tpl_1", version: 3 }, total: 7 }
const campaignAt = (startAt: number) => created({ ...checked, startAt }, made, now).campaign

/** A job kind by its name. Kinds that fold facts share one mechanism, which takes the name. */
const declaration = /^.*(?:= JobKind\.make\("|^ +name: "(?=\w+\.fold"))([^"]+)"/gm

/** The names of all declared job kinds. */
const declared = () => {
  const folder = new URL("../../src/", import.meta.url)
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => [...readFileSync(new URL(name, folder), "utf8").matchAll(declaration)])
    .filter(([line]) => !line.trimStart().startsWith("*"))
    .map(([, kind]) => kind!)
}

describe("after a restore from a backup", () => {
  it("no kind of job repeats a message to a person, and every kind is classified", () => {
    // Jobs on storage, and requests to servers, which know an event by its id. A campaign's job reads its state. A
    // digest and a push decide anew who waits. A mail about stopped places reads
    // anew which are still stopped.
    const others = [
      "webhook",
      "replay",
      "expiry",
      "erase",
      "inbound",
      "give-back",
      "balance-low",
      "campaign",
      "digest",
      "push",
      "example",
      "attribution.fold",
      "stat.fold",
      "sign-in-refused",
      "guard-tripped"
    ]
    assert.sameMembers(declared(), [...Restore.kindsToPeople, ...others])
    assert.sameMembers([...Restore.kindsToPeople], ["send", "fallback", "sign-in-code", "reply"])
  })

  it("a campaign that is running or scheduled is paused until a user resumes it", () => {
    for (const campaign of [campaignAt(now), campaignAt(now + 3_600_000)]) {
      assert.deepStrictEqual(Restore.pauseCampaign(campaign), { ...campaign, status: "PAUSED", pausedFor: "PERSON" })
    }
  })

  it("a campaign that is paused or over stays unchanged", () => {
    const running = campaignAt(now)
    const waiting = Result.getOrThrow(paused(running))!.campaign
    for (const campaign of [waiting, { ...running, status: "DONE" }, { ...running, status: "CANCELLED" }] as const) {
      assert.isNull(Restore.pauseCampaign(campaign))
    }
  })
})
