import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { add, job, left, runner } from "../fixtures/jobs.ts"
import { makeStorage, start } from "../fixtures/World.ts"
import * as JobKind from "../../src/foundation/outbox/JobKind.ts"
import type { JobOutcome } from "../../src/foundation/outbox/Jobs.ts"

const completed: JobOutcome = { _tag: "Completed" }
const begin = Effect.andThen(TestClock.setTime(start), makeStorage)

it.effect("a job with an unreadable payload is buried immediately, and never reaches its handler", () =>
  Effect.gen(function* () {
    const storage = yield* begin
    const seen: Array<string> = []
    const strict = JobKind.make("send", Schema.Struct({ name: Schema.String }))
    yield* (yield* runner(storage)).handle(strict, ({ payload }) =>
      Effect.sync(() => {
        seen.push(payload.name)
        return completed
      })
    )
    yield* add(storage, [{ ...job("bad"), payload: { name: 5 } }, job("good"), { ...job("none"), payload: {} }])
    yield* TestClock.adjust("5 minutes")
    assert.deepStrictEqual(seen, ["good"])
    assert.strictEqual(yield* left(storage), null)
  })
)

it.effect("a job kind sets the failures before burial, or none, and the time between them", () =>
  Effect.gen(function* () {
    const storage = yield* begin
    const payload = Schema.Record(Schema.String, Schema.String)
    const backoff = { first: 5_000, most: 5_000, spread: 0 }
    const tries = { send: 0, tireless: 0 }
    const few = JobKind.make("send", payload, { mostFailures: 3, backoff })
    const tireless = JobKind.make("tireless", payload, { mostFailures: null, backoff })
    const jobs = yield* runner(storage)
    yield* jobs.handle(few, () => Effect.fail(`no ${++tries.send}`))
    yield* jobs.handle(tireless, () => Effect.fail(`no ${++tries.tireless}`))
    const endless = tireless.job({ key: "endless", environment: "env", payload: {}, runAt: start })
    yield* add(storage, [{ ...job("few"), payload: {} }, endless])
    yield* TestClock.adjust("199 seconds")
    assert.deepStrictEqual(tries, { send: 3, tireless: 40 })
  })
)

it("the backoff of a job doubles up to its maximum, plus a random part", () => {
  const of = { first: 1_000, most: 20_000, spread: 0.2 }
  const at = (chance: number) => [0, 1, 4, 5, 1_000].map((failures) => JobKind.backoff(of, failures, chance))
  assert.deepStrictEqual(at(0), [1_000, 2_000, 16_000, 20_000, 20_000])
  assert.deepStrictEqual(at(0.5), [1_100, 2_200, 17_600, 22_000, 22_000])
})
