import { assert, describe, it } from "@effect/vitest"
import { PgFailure } from "../src/PgFailure.ts"
import { Reachability } from "../src/Reachability.ts"

const answered = null
const away = new PgFailure({ reason: "Unavailable", sqlState: null })
const refused = new PgFailure({ reason: "Rejected", sqlState: "22021" })

describe("the log", () => {
  const make = () => {
    let now = 0
    let told = 0
    const reachability = new Reachability(
      () => told++,
      () => now
    )
    const exchange = (outcome: PgFailure | null, at: number) => {
      now = at
      reachability.note(outcome)
      return told
    }
    return exchange
  }

  it("reports an outage of Postgres once and its end once, however many statements notice", () => {
    const exchange = make()
    assert.strictEqual(exchange(answered, 0), 0)
    assert.strictEqual(exchange(away, 10), 1)
    for (let n = 0; n < 50; n++) assert.strictEqual(exchange(away, 20 + n), 1)
    assert.strictEqual(exchange(answered, 2_000), 2)
    assert.strictEqual(exchange(answered, 2_001), 2)
  })

  it("reports one outage while Postgres comes and goes", () => {
    const exchange = make()
    for (let n = 0; n < 100; n++) {
      exchange(away, n * 20)
      assert.strictEqual(exchange(answered, n * 20 + 10), 1)
    }
    assert.strictEqual(exchange(answered, 99 * 20 + 1_000), 2)
  })

  it("reports nothing about a statement that Postgres refuses", () => {
    const exchange = make()
    assert.strictEqual(exchange(refused, 0), 0)
  })
})
