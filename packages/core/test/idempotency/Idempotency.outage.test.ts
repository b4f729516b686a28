import { assert, it } from "@effect/vitest"
import { Clock, Context, Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Idempotency, Keyring } from "../../src/index.ts"
import { IdempotencyStore, StoreError } from "../../src/index.storage.ts"
import { build, makeStorage, secrets, start } from "../fixtures/World.ts"

const scope = { environment: "env", endpoint: "POST /v1/auth/initiate", key: "k1" }

/** A process whose storage can fail: before a call takes effect, or after it and before its answer. */
const process = Effect.gen(function* () {
  yield* TestClock.setTime(start)
  const storage = yield* makeStorage
  const store = Context.get(storage, IdempotencyStore)
  const away = { now: null as "before" | "after" | null }
  const lost = Effect.fail(new StoreError({ operation: "IdempotencyStore", cause: new Error("connection lost") }))
  const over = <A>(call: Effect.Effect<A, StoreError>): Effect.Effect<A, StoreError> =>
    Effect.suspend(() => (away.now === null ? call : away.now === "before" ? lost : Effect.andThen(call, lost)))
  const changed = IdempotencyStore.of({
    ...store,
    begin: (request) => over(store.begin(request)),
    finish: (...args) => over(store.finish(...args)),
    release: (...args) => over(store.release(...args))
  })
  const { once } = yield* build(
    Idempotency.layer.pipe(
      Layer.provide(Keyring.layer({ secret: Redacted.make(secrets.first) })),
      Layer.provide(Layer.succeed(IdempotencyStore, changed)),
      Layer.provide(Layer.succeedContext(storage))
    )
  ).pipe(
    Effect.orDie,
    Effect.map((context) => Context.get(context, Idempotency))
  )
  let runs = 0
  const ask = (status: number, meanwhile: () => void = () => {}) =>
    once(
      scope,
      "body",
      Effect.sync((): IdempotencyStore.KeptAnswer => {
        meanwhile()
        return { status, body: `run ${++runs}` }
      }),
      (answer) => answer.status < 429
    )
  return { away, ask }
})

/** Encryption runs outside this thread in real time, so let it finish before the clock moves. */
const sealing = Effect.promise(async () => {
  for (let step = 0; step < 4; step++) await crypto.subtle.digest("SHA-256", new Uint8Array(1))
})

/** The time until a repeat gets its answer, in steps of a tenth of a second. */
const waited = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const before = yield* Clock.currentTimeMillis
    const fiber = yield* Effect.forkChild(effect, { startImmediately: true })
    while (fiber.pollUnsafe() === undefined) yield* Effect.andThen(TestClock.adjust(100), sealing)
    return { answer: yield* Fiber.join(fiber), after: (yield* Clock.currentTimeMillis) - before }
  })

for (const when of ["before", "after"] as const) {
  it.effect(`an answer that could not be stored ${when} the outage is replayed to a repeat once storage is back`, () =>
    Effect.gen(function* () {
      const { ask, away } = yield* process
      const first = yield* ask(200, () => (away.now = when))
      assert.deepStrictEqual(first.answer, { status: 200, body: "run 1" })
      yield* TestClock.adjust(5_000)
      away.now = null
      const { after, answer } = yield* waited(ask(200))
      assert.deepStrictEqual(answer, { replayed: true, answer: { status: 200, body: "run 1" } })
      assert.isAtMost(after, 1_000)
    }).pipe(Effect.scoped)
  )
}

it.effect("a refusal whose key could not be released lets a repeat run once storage is back", () =>
  Effect.gen(function* () {
    const { ask, away } = yield* process
    yield* ask(500, () => (away.now = "before"))
    away.now = null
    const { after, answer } = yield* waited(ask(200))
    assert.deepStrictEqual(answer, { replayed: false, answer: { status: 200, body: "run 2" } })
    assert.isAtMost(after, 1_000)
  }).pipe(Effect.scoped)
)

it.effect("a key that was claimed while its answer was lost lets a repeat run once storage is back", () =>
  Effect.gen(function* () {
    const { ask, away } = yield* process
    away.now = "after"
    assert.strictEqual((yield* Effect.flip(ask(200)))._tag, "StoreError")
    away.now = null
    const { after, answer } = yield* waited(ask(200))
    assert.deepStrictEqual(answer, { replayed: false, answer: { status: 200, body: "run 1" } })
    assert.isAtMost(after, 1_000)
  }).pipe(Effect.scoped)
)
