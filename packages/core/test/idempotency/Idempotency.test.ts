import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Idempotency, Identifier, Keyring, SecretHash, StillRunning } from "../../src/index.ts"
import { mostKept } from "../../src/foundation/idempotency/Idempotency.ts"
import * as RequestKey from "../../src/foundation/outbox/RequestKey.ts"
import { IdempotencyStore } from "../../src/index.storage.ts"
import { fingerprintOf } from "../../src/foundation/idempotency/fingerprint.ts"
import { build, inTime, makeStorage, secrets, start } from "../fixtures/World.ts"

const scope: IdempotencyStore.Scope = { environment: "env", endpoint: "POST /v1/auth/initiate", key: "k1" }
const hour = 3_600_000

const process = (
  storage: Effect.Success<typeof makeStorage>,
  secret: string = secrets.first,
  previous: ReadonlyArray<string> = []
) =>
  build(
    Idempotency.layer.pipe(
      Layer.provide(
        Keyring.layer({ secret: Redacted.make(secret), previous: previous.map((text) => Redacted.make(text)) })
      ),
      Layer.provide(Layer.succeedContext(storage))
    )
  ).pipe(
    Effect.orDie,
    Effect.map((context) => Context.get(context, Idempotency))
  )

/** The stored fingerprint of a body, for a process with this master secret. */
const fingerprintUnder = (secret: string, body: string) =>
  build(Keyring.layer({ secret: Redacted.make(secret) })).pipe(
    Effect.orDie,
    Effect.map((context) => fingerprintOf(Context.get(context, Keyring), scope, body))
  )

/** Requests whose answers contain the number of the run. */
const requests = Effect.gen(function* () {
  yield* TestClock.setTime(start)
  const storage = yield* makeStorage
  const { once } = yield* process(storage)
  let runs = 0
  const run = (status = 200, takes = 0) =>
    Effect.suspend(() => {
      const answer: IdempotencyStore.KeptAnswer = { status, body: `run ${++runs} ü` }
      return Effect.delay(Effect.succeed(answer), takes)
    })
  const keep = ({ status }: IdempotencyStore.KeptAnswer) => status < 429
  const mayHaveChanged = ({ status }: IdempotencyStore.KeptAnswer) => status !== 429
  return {
    storage,
    runs: () => runs,
    run,
    ask: <E = never>(
      effect: Effect.Effect<IdempotencyStore.KeptAnswer, E> = run(),
      fingerprint = "f1",
      of: IdempotencyStore.Scope = scope
    ) => once(of, fingerprint, effect, keep, mayHaveChanged)
  }
})

const first = (n: number, status = 200) => ({ replayed: false as const, answer: { status, body: `run ${n} ü` } })
const again = (n: number, status = 200) => ({ replayed: true as const, answer: { status, body: `run ${n} ü` } })

describe("a request with an idempotency key", () => {
  it.effect("runs once, and its repeats get the same answer", () =>
    Effect.gen(function* () {
      const { ask, run, runs } = yield* requests
      assert.deepStrictEqual(yield* ask(run(400)), first(1, 400))
      assert.deepStrictEqual([yield* ask(), yield* ask()], [again(1, 400), again(1, 400)])
      assert.strictEqual(runs(), 1)
    })
  )

  it.effect("runs again when its answer is too long to be stored", () =>
    Effect.gen(function* () {
      const { ask, run, runs } = yield* requests
      const long = { status: 200, body: "x".repeat(mostKept + 1) }
      assert.deepStrictEqual(yield* ask(Effect.succeed(long)), { replayed: false as const, answer: long })
      assert.deepStrictEqual(yield* ask(run()), first(1))
      assert.deepStrictEqual(yield* ask(), again(1))
      assert.strictEqual(runs(), 1)
    })
  )

  it.effect("runs once when fifty arrive together, and the others wait for its answer", () =>
    Effect.gen(function* () {
      const { ask, run, runs } = yield* requests
      const all = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 50 }, () => ask(run(200, 3000))),
          { concurrency: "unbounded" }
        )
      )
      const answers = yield* inTime(all)
      assert.strictEqual(runs(), 1)
      assert.deepStrictEqual(
        answers.filter(({ replayed }) => !replayed),
        [first(1)]
      )
      assert.deepStrictEqual(
        answers.filter(({ replayed }) => replayed),
        Array.from({ length: 49 }, () => again(1))
      )
    })
  )

  it.effect("belongs to its environment and endpoint", () =>
    Effect.gen(function* () {
      const { ask, run } = yield* requests
      const scopes: ReadonlyArray<IdempotencyStore.Scope> = [
        scope,
        { ...scope, key: "k2" },
        { ...scope, endpoint: "POST /v1/auth/verify" },
        { ...scope, environment: "env2" },
        { environment: "e", endpoint: "nv", key: "x" },
        { environment: "en", endpoint: "v", key: "x" }
      ]
      for (const [i, of] of scopes.entries()) assert.deepStrictEqual(yield* ask(run(), "f1", of), first(i + 1))
      for (const [i, of] of scopes.entries()) assert.deepStrictEqual(yield* ask(run(), "f1", of), again(i + 1))
    })
  )

  it.effect("with another body is refused, during the first run and after it", () =>
    Effect.gen(function* () {
      const { ask, run, runs } = yield* requests
      const slow = yield* Effect.forkChild(ask(run(200, 5000)), { startImmediately: true })
      assert.strictEqual((yield* Effect.flip(ask(run(), "f2")))._tag, "IdempotencyKeyReused")
      yield* inTime(slow)
      assert.strictEqual((yield* Effect.flip(ask(run(), "f2")))._tag, "IdempotencyKeyReused")
      assert.deepStrictEqual([yield* ask(), runs()], [again(1), 1])
    })
  )

  it.effect("that is refused for now runs again, with any body", () =>
    Effect.gen(function* () {
      const { ask, run } = yield* requests
      assert.deepStrictEqual(yield* ask(run(429)), first(1, 429))
      assert.deepStrictEqual(yield* ask(run(), "f2"), first(2))
      assert.deepStrictEqual(yield* ask(run(), "f2"), again(2))
    })
  )

  it.effect("that gets a server error runs again, with the same body only: it may have changed something", () =>
    Effect.gen(function* () {
      const { ask, run } = yield* requests
      assert.deepStrictEqual(yield* ask(run(500)), first(1, 500))
      assert.strictEqual((yield* Effect.flip(ask(run(), "f2")))._tag, "IdempotencyKeyReused")
      assert.deepStrictEqual(yield* ask(run()), first(2))
      assert.deepStrictEqual(yield* ask(), again(2))
    })
  )

  it.effect("gives every try the same ids and secrets, and no other request gets them", () =>
    Effect.gen(function* () {
      const { storage } = yield* requests
      const drawn = Effect.all([
        RequestKey.idFor("msg", start + 9_999),
        RequestKey.textFor("secret", 40),
        RequestKey.mark,
        RequestKey.isRepeat
      ])
      const seen: Array<ReadonlyArray<unknown>> = []
      const run = Effect.andThen(
        Effect.map(drawn, (values) => seen.push(values)),
        Effect.succeed({ status: 500, body: "{}" })
      )
      const never = () => false
      const { once } = yield* process(storage)
      yield* once(scope, "f1", run, never)
      yield* TestClock.adjust("1 hour")
      yield* once(scope, "f1", run, never)
      const rotated = yield* process(storage, secrets.second, [secrets.first])
      yield* rotated.once(scope, "f1", run, never)
      const others = [{ key: "k2" }, { endpoint: "POST /v1/other" }, { environment: "env2" }]
      for (const other of others) yield* once({ ...scope, ...other }, "f1", run, never)
      const [first, repeat, afterRotation, ...foreign] = seen
      assert.deepStrictEqual(first!.slice(0, 3), repeat!.slice(0, 3))
      assert.deepStrictEqual(afterRotation, repeat)
      assert.deepStrictEqual([first![3], repeat![3]], [false, true])
      assert.strictEqual(Identifier.timeOf(first![0] as string), start)
      for (const values of foreign) {
        for (const place of [0, 1, 2]) assert.notStrictEqual(values[place], first![place])
      }
      assert.lengthOf(new Set(foreign.map(([id]) => id)), others.length)
      // Without a key they are random.
      assert.notDeepEqual(yield* drawn, yield* drawn)
    })
  )

  it.effect("that is repeated on another day with the same body gets other ids and secrets", () =>
    Effect.gen(function* () {
      const { ask } = yield* requests
      const drawn = Effect.all([RequestKey.textFor("secret", 40), RequestKey.mark])
      const seen: Array<ReadonlyArray<unknown>> = []
      const run = Effect.andThen(
        Effect.map(drawn, (values) => seen.push(values)),
        Effect.succeed({ status: 201, body: "{}" })
      )
      yield* ask(run)
      // The first answer is expired. Its secret may have leaked or been revoked in the meantime.
      yield* TestClock.setTime(start + 24 * hour + 1)
      yield* ask(run)
      for (const place of [0, 1]) assert.notStrictEqual(seen[1]![place], seen[0]![place])
    })
  )

  it.effect("that is refused as a repeat still knows that its first try may have changed something", () =>
    Effect.gen(function* () {
      const { ask, run } = yield* requests
      const repeats: Array<boolean> = []
      const noting = (status: number) =>
        Effect.andThen(
          Effect.map(RequestKey.isRepeat, (isRepeat) => repeats.push(isRepeat)),
          run(status)
        )
      yield* ask(noting(500))
      // This try was refused before it could read the result of the first one.
      yield* ask(noting(429))
      yield* ask(noting(200))
      assert.deepStrictEqual(repeats, [false, true, true])
    })
  )

  it.effect("that fails, throws or is interrupted runs again", () =>
    Effect.gen(function* () {
      const { ask } = yield* requests
      assert.strictEqual(yield* Effect.flip(ask(Effect.fail("no"))), "no")
      assert.strictEqual((yield* Effect.exit(ask(Effect.die("broken"))))._tag, "Failure")
      const given = yield* Effect.forkChild(ask(Effect.never), { startImmediately: true })
      yield* Fiber.interrupt(given)
      assert.deepStrictEqual(yield* ask(), first(1))
    })
  )

  it.effect("whose first answer is not stored lets one of the waiting repeats run", () =>
    Effect.gen(function* () {
      const { ask, run, runs } = yield* requests
      const failing = yield* Effect.forkChild(ask(run(503, 1000)), { startImmediately: true })
      const waiting = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 10 }, () => ask(run(200, 100))),
          { concurrency: "unbounded" }
        )
      )
      assert.deepStrictEqual(yield* inTime(failing), first(1, 503))
      const answers = yield* inTime(waiting)
      assert.deepStrictEqual([answers.filter(({ replayed }) => !replayed), runs()], [[first(2)], 2])
    })
  )

  it.effect("whose process stopped runs again after fifteen seconds, and no earlier", () =>
    Effect.gen(function* () {
      const { ask, runs, storage } = yield* requests
      const store = Context.get(storage, IdempotencyStore)
      const taken = {
        scope,
        fingerprint: yield* fingerprintUnder(secrets.first, "f1"),
        holder: "dead",
        now: start,
        leasedUntil: start + 15_000,
        keptSince: 0
      }
      assert.strictEqual((yield* store.begin(taken))._tag, "Taken")
      const waiting = yield* Effect.forkChild(ask(), { startImmediately: true })
      yield* TestClock.adjust("14999 millis")
      assert.strictEqual(runs(), 0)
      assert.deepStrictEqual(yield* inTime(waiting), first(1))
      // The stopped process may only have been slow: its late calls change nothing.
      yield* store.finish(scope, "dead", { status: 200, body: "late" })
      yield* store.release(scope, "dead")
      assert.deepStrictEqual(yield* ask(), again(1))
    })
  )

  it.effect("has a lease of fifteen seconds from its own start, when its process is killed", () =>
    Effect.gen(function* () {
      const { runs, run, storage } = yield* requests
      const store = Context.get(storage, IdempotencyStore)
      const silent = IdempotencyStore.of({ ...store, unlock: () => Effect.void })
      const dying = yield* process(Context.add(storage, IdempotencyStore, silent))
      const keep = () => true
      yield* Effect.exit(dying.once(scope, "f1", Effect.die("killed"), keep))
      const next = yield* Effect.forkChild(dying.once(scope, "f1", run(), keep), { startImmediately: true })
      yield* TestClock.adjust("14999 millis")
      assert.strictEqual(runs(), 0)
      assert.deepStrictEqual(yield* inTime(next), first(1))
    })
  )

  it.effect("that runs for long is awaited for twenty seconds", () =>
    Effect.gen(function* () {
      const { ask, storage } = yield* requests
      const store = Context.get(storage, IdempotencyStore)
      const taken = {
        scope,
        fingerprint: yield* fingerprintUnder(secrets.first, "f1"),
        holder: "slow",
        now: start,
        leasedUntil: start + hour,
        keptSince: 0
      }
      assert.strictEqual((yield* store.begin(taken))._tag, "Taken")
      const waiting = yield* Effect.forkChild(Effect.flip(ask()), { startImmediately: true })
      assert.deepStrictEqual(yield* inTime(waiting), new StillRunning())
    })
  )

  it.effect("expires after 24 hours, and not before", () =>
    Effect.gen(function* () {
      const { ask, run } = yield* requests
      yield* ask()
      yield* TestClock.setTime(start + 24 * hour)
      assert.deepStrictEqual(yield* ask(), again(1))
      yield* TestClock.setTime(start + 24 * hour + 1)
      assert.deepStrictEqual(yield* ask(run(), "f2"), first(2))
    })
  )

  it.effect("is deleted when it is older than the given time", () =>
    Effect.gen(function* () {
      const { ask, run, storage } = yield* requests
      const store = Context.get(storage, IdempotencyStore)
      yield* ask()
      yield* TestClock.adjust(1000)
      yield* ask(run(), "f1", { ...scope, key: "k2" })
      assert.deepStrictEqual(
        [yield* store.purge(start), yield* store.purge(start + 1), yield* store.purge(start + 1)],
        [0, 1, 0]
      )
      assert.deepStrictEqual(yield* ask(), first(3))
    })
  )

  it.effect("has its answer encrypted in storage", () =>
    Effect.gen(function* () {
      const { ask, storage } = yield* requests
      yield* ask()
      const kept = yield* Context.get(storage, IdempotencyStore).begin({
        scope,
        fingerprint: "f1",
        holder: "reader",
        now: start,
        leasedUntil: start,
        keptSince: 0
      })
      assert.strictEqual(kept._tag === "Held" && kept.answer?.status, 200)
      assert.notInclude(JSON.stringify(kept), "run 1")
      const keep = () => true
      const rotated = yield* process(storage, secrets.second, [secrets.first])
      assert.deepStrictEqual(yield* rotated.once(scope, "f1", Effect.die("ran"), keep), again(1))
      const retired = yield* process(storage, secrets.second)
      const refused = yield* Effect.flip(retired.once(scope, "f1", Effect.die("ran"), keep))
      assert.strictEqual(refused._tag, "StillRunning")
    })
  )

  it.effect("has its body hashed with a secret, so that a copy of the storage does not reveal the code", () =>
    Effect.gen(function* () {
      const { storage } = yield* requests
      const begun: Array<string> = []
      const store = Context.get(storage, IdempotencyStore)
      const watched = IdempotencyStore.of({
        ...store,
        begin: (request) => {
          begun.push(request.fingerprint)
          return store.begin(request)
        }
      })
      const { once } = yield* process(Context.add(storage, IdempotencyStore, watched))
      const bodyWith = (code: number) => `{"requestId":"ver_1","otp":"${String(code).padStart(6, "0")}"}`
      yield* once(scope, bodyWith(48_291), Effect.succeed({ status: 200, body: "{}" }), () => true)
      const [kept = ""] = begun
      // An attacker with the database tries codes around the right one. All million would take a minute.
      const guessed = Array.from({ length: 1000 }, (_, i) => SecretHash.hash(bodyWith(48_000 + i)))
      assert.isFalse(guessed.some((hash) => kept.includes(hash)))
      assert.match(kept, /^[0-9a-f]{12}\.[0-9a-f]{64}$/)
      yield* once({ ...scope, key: "k2" }, bodyWith(48_291), Effect.succeed({ status: 200, body: "{}" }), () => true)
      assert.notStrictEqual(begun[1], kept)
    })
  )

  it.effect("is recognised after the master secret was rotated, and another body is refused", () =>
    Effect.gen(function* () {
      const { ask, storage } = yield* requests
      yield* ask()
      const rotated = yield* process(storage, secrets.second, [secrets.first])
      const keep = () => true
      assert.deepStrictEqual(yield* rotated.once(scope, "f1", Effect.die("ran"), keep), again(1))
      const reused = yield* Effect.flip(rotated.once(scope, "f2", Effect.die("ran"), keep))
      assert.strictEqual(reused._tag, "IdempotencyKeyReused")
      assert.deepStrictEqual(
        [yield* rotated.knows(scope), yield* rotated.knows({ ...scope, key: "k2" })],
        [true, false]
      )
    })
  )

  it.effect("whose process stopped before a rotation of the master secret runs again after it", () =>
    Effect.gen(function* () {
      const { run, runs, storage } = yield* requests
      const fingerprint = yield* fingerprintUnder(secrets.first, "f1")
      const taken = { scope, fingerprint, holder: "dead", now: start, leasedUntil: start + 15_000, keptSince: 0 }
      assert.strictEqual((yield* Context.get(storage, IdempotencyStore).begin(taken))._tag, "Taken")
      const rotated = yield* process(storage, secrets.second, [secrets.first])
      const next = yield* Effect.forkChild(
        rotated.once(scope, "f1", run(), () => true),
        { startImmediately: true }
      )
      yield* TestClock.adjust("14999 millis")
      assert.strictEqual(runs(), 0)
      assert.deepStrictEqual(yield* inTime(next), first(1))
    })
  )
})
