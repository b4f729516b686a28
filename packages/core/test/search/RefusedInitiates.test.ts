import { assert, describe, it } from "@effect/vitest"
import { Gathering } from "../../src/data/search/Gathering.ts"
import type { Refusal } from "../../src/data/search/Refusal.ts"
import { start } from "../fixtures/World.ts"

const refusal = (more: Partial<Refusal> = {}): Refusal => ({
  environment: "env",
  id: "rfs_1",
  at: start,
  path: "SERVER",
  errorCode: "RATE_LIMIT_EXCEEDED",
  reason: "spelling",
  identity: null,
  person: null,
  channel: "SMS",
  country: "IN",
  ...more
})

describe("refused initiates", () => {
  it("are all counted in a flood, and stored once a second for apps and a hundred times for backends", () => {
    const gathering = new Gathering()
    for (let i = 0; i < 5_000; i++) gathering.add(refusal({ path: "SDK", reason: "address" }))
    for (let i = 0; i < 300; i++) gathering.add(refusal({ id: `rfs_${i}` }))
    const taken = gathering.take(start)
    const counted = taken?.facts.map(({ value }) => [value["path"], value["reason"], value["n"]])
    assert.deepStrictEqual(counted, [
      ["SDK", "address", 5_000],
      ["SERVER", "spelling", 300]
    ])
    const kept = taken?.refusals.map(({ path }) => path)
    assert.deepStrictEqual([kept?.filter((path) => path === "SDK").length, kept?.length], [1, 101])
    assert.isNull(gathering.take(start))
    gathering.add(refusal({ path: "SDK" }))
    assert.strictEqual(gathering.take(start)?.refusals.length, 1)
  })

  it("are counted by quarter hour, reason, channel and country, up to a limit of combinations", () => {
    const gathering = new Gathering()
    gathering.add(refusal())
    gathering.add(refusal({ at: start + 900_000 }))
    gathering.add(refusal({ channel: null }))
    gathering.add(refusal({ environment: "other" }))
    assert.strictEqual(gathering.take(start)?.facts.length, 4)
    for (let i = 0; i < 20_000; i++) gathering.add(refusal({ country: String(i) }))
    const facts = gathering.take(start)?.facts ?? []
    assert.isAtMost(facts.length, 201)
    assert.strictEqual(
      facts.reduce((sum, { value }) => sum + Number(value["n"]), 0),
      20_000
    )
  })
})
