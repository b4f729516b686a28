import { EventType } from "@countersign/core"
import { assert, describe, it } from "vitest"
import {
  eventNames,
  healthOf,
  localTime,
  outcomeOf,
  pretty,
  rangeOf,
  replayFrom
} from "../../src/screens/webhooks/health.ts"

const since = "2026-01-31T09:30:00.000Z"

describe("an endpoint", () => {
  it("says why it is disabled, before its backlog is loaded", () => {
    const healths = (["GONE", "FAILING", "MERCHANT", null] as const).map((disabledReason) =>
      healthOf({ status: "DISABLED", disabledReason }, null)
    )
    assert.deepStrictEqual(healths, ["GONE", "GIVEN_UP", "SWITCHED_OFF", "SWITCHED_OFF"])
  })

  it("shows no status before the service has decided it", () => {
    const active = { status: "ACTIVE", disabledReason: null } as const
    assert.isNull(healthOf(active, null))
    // It was enabled between the two reads.
    assert.isNull(healthOf(active, { health: "DISABLED" }))
    for (const health of ["NO_EVENT_YET", "WORKS", "WAITING", "NOT_DELIVERED", "FAILING"] as const)
      assert.strictEqual(healthOf(active, { health }), health)
  })

  it("can subscribe to every event type except the test event", () => {
    assert.sameMembers([...eventNames, "webhook.test"], [...EventType.literals])
  })
})

describe("a delivery", () => {
  it("is retried when it has a next time, and not when it was manual", () => {
    assert.strictEqual(outcomeOf({ status: "FAILED", nextAttemptAt: since }).kind, "again")
    assert.strictEqual(outcomeOf({ status: "FAILED", nextAttemptAt: null }).kind, "failed")
    assert.strictEqual(outcomeOf({ status: "DEAD", nextAttemptAt: null }).kind, "dead")
  })

  it("shows JSON indented, and anything else verbatim", () => {
    assert.strictEqual(pretty('{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}')
    assert.strictEqual(pretty("<b>no</b>"), "<b>no</b>")
  })
})

describe("a replay", () => {
  it("starts a minute before the first failure, or a day ago", () => {
    const now = Date.parse("2026-02-02T00:00:00Z")
    assert.strictEqual(Date.parse(replayFrom({ failingSince: since }, now)), Date.parse(since) - 60_000)
    assert.strictEqual(replayFrom({ failingSince: null }, now), localTime(new Date(now - 86_400_000)))
  })

  it("needs a start, and an end after it", () => {
    assert.deepStrictEqual(rangeOf("", ""), { ok: false, why: "since" })
    assert.deepStrictEqual(rangeOf(since, "2026-01-30T00:00:00Z"), { ok: false, why: "order" })
    assert.deepStrictEqual(rangeOf(since, ""), { ok: true, since, until: null })
  })
})
