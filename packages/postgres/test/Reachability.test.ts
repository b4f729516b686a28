import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { PgFailure } from "../src/PgFailure.ts"
import { Reachability } from "../src/Reachability.ts"

const away = Effect.fail(new PgFailure({ reason: "Unavailable", sqlState: null }))
const refused = Effect.fail(new PgFailure({ reason: "Rejected", sqlState: "22021" }))

describe("the log", () => {
  const make = () => {
    let now = 0
    let told = 0
    const reachability = new Reachability(
      () => told++,
      () => now
    )
    const exchange = (outcome: Effect.Effect<unknown, PgFailure>, at: number) => {
      now = at
      return Effect.map(Effect.exit(reachability.watch(outcome)), () => told)
    }
    return exchange
  }

  it.effect("reports an outage of Postgres once and its end once, however many statements notice", () =>
    Effect.gen(function* () {
      const exchange = make()
      assert.strictEqual(yield* exchange(Effect.void, 0), 0)
      assert.strictEqual(yield* exchange(away, 10), 1)
      for (let n = 0; n < 50; n++) assert.strictEqual(yield* exchange(away, 20 + n), 1)
      assert.strictEqual(yield* exchange(Effect.void, 2_000), 2)
      assert.strictEqual(yield* exchange(Effect.void, 2_001), 2)
    })
  )

  it.effect("reports one outage while Postgres comes and goes", () =>
    Effect.gen(function* () {
      const exchange = make()
      for (let n = 0; n < 100; n++) {
        yield* exchange(away, n * 20)
        assert.strictEqual(yield* exchange(Effect.void, n * 20 + 10), 1)
      }
      assert.strictEqual(yield* exchange(Effect.void, 99 * 20 + 1_000), 2)
    })
  )

  it.effect("reports nothing about a statement that Postgres refuses", () =>
    Effect.gen(function* () {
      const exchange = make()
      assert.strictEqual(yield* exchange(refused, 0), 0)
    })
  )
})
