import { assert, describe, it } from "vitest"
import { systemCaller } from "../../src/account/merchant/systemEnvironment.ts"
import type { Fact } from "../../src/foundation/outbox/Fact.ts"
import { countedFacts } from "../../src/account/stat/StatMetrics.ts"

describe("the metrics", () => {
  it("exclude the two system environments, so a scrape does not reveal sign-in addresses", () => {
    const fact = (environment: string) => ({ environment }) as Fact
    const own = fact("env_1")
    const system = (["live", "test"] as const).map((kind) => fact(systemCaller(kind).environment))
    assert.deepStrictEqual(countedFacts([...system, own]), [own])
  })
})
