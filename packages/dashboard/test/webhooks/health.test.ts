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
  it("says since when it fails, and why it is disabled", () => {
    const kinds = (
      [
        ["ACTIVE", null, null],
        ["ACTIVE", null, since],
        ["DISABLED", "GONE", since],
        ["DISABLED", "FAILING", since],
        ["DISABLED", "MERCHANT", since]
      ] as const
    ).map(([status, disabledReason, failingSince]) => healthOf({ status, disabledReason, failingSince }, null))
    assert.deepStrictEqual(
      kinds.map(({ kind, since }) => [kind, since]),
      [
        ["good", null],
        ["failing", since],
        ["gone", since],
        ["exhausted", since],
        ["off", null]
      ]
    )
  })

  it("is not active while events are pending or undelivered", () => {
    const works = { status: "ACTIVE", disabledReason: null, failingSince: null } as const
    const kind = (endpoint: Parameters<typeof healthOf>[0], pending: number, givenUp: number) =>
      healthOf(endpoint, { pending, givenUp }).kind
    assert.strictEqual(kind(works, 0, 0), "good")
    assert.strictEqual(kind(works, 4, 1), "pending")
    assert.strictEqual(kind(works, 0, 1), "givenUp")
    assert.strictEqual(kind({ ...works, failingSince: since }, 4, 1), "failing")
    assert.strictEqual(kind({ ...works, status: "DISABLED", disabledReason: "MERCHANT" }, 4, 1), "off")
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
