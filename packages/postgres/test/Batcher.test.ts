import { StoreError } from "@countersign/core/storage"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import * as Batcher from "../src/Batcher.ts"
import { PgFailure } from "../src/PgFailure.ts"

/** A database that answers on request and records which items each statement carried. */
const makeBackend = Effect.sync(() => {
  const statements: Array<{
    readonly items: ReadonlyArray<string>
    readonly answer: Deferred.Deferred<ReadonlyArray<string>, PgFailure>
  }> = []
  const arrived: Array<() => void> = []
  return {
    statements,
    sent: () => statements.map(({ items }) => items),
    run: (items: ReadonlyArray<string>) =>
      Effect.suspend(() => {
        const answer = Deferred.makeUnsafe<ReadonlyArray<string>, PgFailure>()
        statements.push({ items, answer })
        arrived.splice(0).forEach((resume) => resume())
        return Deferred.await(answer)
      }),
    /** Waits for the statement with this number. */
    statement: (index: number) =>
      Effect.callback<void>((resume) => {
        const look = () => {
          if (statements.length > index) resume(Effect.void)
          else arrived.push(look)
        }
        look()
      }),
    succeed: (index: number) =>
      Effect.suspend(() =>
        Deferred.succeed(
          statements[index]!.answer,
          statements[index]!.items.map((item) => `${item}!`)
        )
      ),
    fail: (index: number, reason: PgFailure["reason"], sqlState: string | null = null) =>
      Effect.suspend(() => Deferred.fail(statements[index]!.answer, new PgFailure({ reason, sqlState })))
  }
})

const keyOf = (item: string) => item.split(":")[0]!
/** Waits until the batcher has started every statement that it may start now. */
const started = Effect.callback<void>((resume) => {
  setImmediate(() => setImmediate(() => resume(Effect.void)))
})
const fork = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })

const make = Effect.fnUntraced(function* (options: Partial<Batcher.BatcherOptions<string, string>> = {}) {
  const backend = yield* makeBackend
  const batcher = yield* Batcher.make<string, string>({
    operation: "Test.run",
    keyOf,
    sameKey: "wait",
    ownerOf: () => "one",
    run: backend.run,
    maxInFlight: 1,
    worthAnother: 1,
    ...options
  } as Batcher.BatcherOptions<string, string>)
  return { backend, submit: batcher.submit }
})

it.effect("a single caller's item is sent alone and immediately", () =>
  Effect.gen(function* () {
    const { backend, submit } = yield* make()
    const caller = yield* fork(submit("a"))
    yield* backend.statement(0)
    yield* backend.succeed(0)
    assert.strictEqual(yield* Fiber.join(caller), "a!")
  })
)

it.effect("items that arrive while a statement is in flight go with the next statement, sorted by key", () =>
  Effect.gen(function* () {
    const { backend, submit } = yield* make()
    const first = yield* fork(submit("m"))
    yield* backend.statement(0)
    const others = yield* Effect.forEach(["c", "a", "b"], (item) => fork(submit(item)))
    yield* backend.succeed(0)
    yield* backend.statement(1)
    yield* backend.succeed(1)
    assert.strictEqual(yield* Fiber.join(first), "m!")
    assert.deepStrictEqual(yield* Effect.forEach(others, Fiber.join), ["c!", "a!", "b!"])
    assert.deepStrictEqual(backend.sent(), [["m"], ["a", "b", "c"]])
  })
)

it.effect("no statement exceeds the size limit, and no more statements than allowed are in flight", () =>
  Effect.gen(function* () {
    const { backend, submit } = yield* make({ maxItems: 2, maxInFlight: 2 })
    const callers = yield* Effect.forEach(["a", "b", "c", "d", "e"], (item) => fork(submit(item)))
    yield* backend.statement(1)
    assert.deepStrictEqual(backend.sent(), [
      ["a", "b"],
      ["c", "d"]
    ])
    yield* backend.succeed(0)
    yield* backend.statement(2)
    yield* backend.succeed(1)
    yield* backend.succeed(2)
    assert.deepStrictEqual(yield* Effect.forEach(callers, Fiber.join), ["a!", "b!", "c!", "d!", "e!"])
  })
)

it.effect("while a statement runs, few items wait for it, and many start another one", () =>
  Effect.gen(function* () {
    const { backend, submit } = yield* make({ maxInFlight: 2, worthAnother: 3, patience: 1e9 })
    yield* fork(submit("a"))
    yield* backend.statement(0)
    yield* Effect.forEach(["b", "c"], (item) => fork(submit(item)))
    yield* started
    assert.deepStrictEqual(backend.sent(), [["a"]])
    yield* fork(submit("d"))
    yield* started
    assert.deepStrictEqual(backend.sent(), [["a"], ["b", "c", "d"]])
    yield* fork(submit("e"))
    yield* backend.succeed(0)
    yield* backend.succeed(1)
    yield* backend.statement(2)
    assert.deepStrictEqual(backend.sent().at(2), ["e"])
  })
)

it.effect("an item does not wait for a statement that takes long, nor starts more statements than allowed", () =>
  Effect.gen(function* () {
    const { backend, submit } = yield* make({ maxInFlight: 2, worthAnother: 3, patience: 0 })
    yield* fork(submit("a"))
    yield* backend.statement(0)
    yield* fork(submit("b"))
    yield* backend.statement(1)
    const last = yield* fork(submit("c"))
    yield* started
    assert.deepStrictEqual(backend.sent(), [["a"], ["b"]])
    yield* backend.succeed(1)
    yield* backend.statement(2)
    yield* backend.succeed(2)
    assert.strictEqual(yield* Fiber.join(last), "c!")
  })
)

it.effect("a second write of a key waits while the first is in flight, and other keys do not wait", () =>
  Effect.gen(function* () {
    const { backend, submit } = yield* make({ maxInFlight: 3 })
    const callers = yield* Effect.forEach(["k:1", "k:2", "x", "k:3"], (item) => fork(submit(item)))
    yield* backend.statement(0)
    assert.deepStrictEqual(backend.sent(), [["k:1", "x"]])
    for (const index of [0, 1, 2]) {
      yield* backend.statement(index)
      yield* backend.succeed(index)
    }
    assert.deepStrictEqual(yield* Effect.forEach(callers, Fiber.join), ["k:1!", "k:2!", "x!", "k:3!"])
    assert.deepStrictEqual(backend.sent(), [["k:1", "x"], ["k:2"], ["k:3"]])
  })
)

it.effect("a waiting item gets the result that a finished item with the same key implies", () =>
  Effect.gen(function* () {
    const { backend, submit } = yield* make({
      foretell: (_, __, waiting) => (waiting === "k:late" ? "late" : undefined)
    })
    const callers = yield* Effect.forEach(["k:1", "k:late", "k:2", "k:late"], (item) => fork(submit(item)))
    yield* backend.statement(0)
    yield* backend.succeed(0)
    yield* backend.statement(1)
    yield* backend.succeed(1)
    assert.deepStrictEqual(yield* Effect.forEach(callers, Fiber.join), ["k:1!", "late", "k:2!", "late"])
    assert.deepStrictEqual(backend.sent(), [["k:1"], ["k:2"]])
  })
)

it.effect("readers that wait for one key share a result, and no reader gets a result requested earlier", () =>
  Effect.gen(function* () {
    const { backend, submit } = yield* make({ sameKey: "share", maxInFlight: 2 })
    const early = yield* fork(submit("k"))
    yield* backend.statement(0)
    const late = yield* Effect.forEach(["k", "k", "x"], (item) => fork(submit(item)))
    yield* backend.statement(1)
    assert.deepStrictEqual(backend.sent(), [["k"], ["k", "x"]])
    yield* backend.succeed(1)
    assert.deepStrictEqual(yield* Effect.forEach(late, Fiber.join), ["k!", "k!", "x!"])
    yield* backend.succeed(0)
    assert.strictEqual(yield* Fiber.join(early), "k!")
  })
)

it.effect("a refused value harms only its own caller", () =>
  Effect.gen(function* () {
    const run = (items: ReadonlyArray<string>) =>
      items.includes("bad")
        ? Effect.fail(new PgFailure({ reason: "Rejected", sqlState: "22021" }))
        : Effect.succeed(items.map((item) => `${item}!`))
    const { submit } = yield* make({ run })
    const exits = yield* Effect.forEach(["a", "b", "bad", "c", "d"], (item) => Effect.exit(submit(item)), {
      concurrency: "unbounded"
    })
    assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, false, true, true])
    assert.instanceOf(yield* Effect.flip(submit("bad")), StoreError)
  })
)

it.effect("a statement is retried after a deadlock, but not after a lost connection", () =>
  Effect.gen(function* () {
    const { backend, submit } = yield* make()
    const caller = yield* fork(submit("a"))
    for (const index of [0, 1]) {
      yield* backend.statement(index)
      yield* backend.fail(index, "Deadlock", "40P01")
    }
    yield* backend.statement(2)
    yield* backend.succeed(2)
    assert.strictEqual(yield* Fiber.join(caller), "a!")

    const callers = yield* Effect.forEach(["a", "b"], (item) => fork(Effect.flip(submit(item))))
    yield* backend.statement(3)
    yield* backend.fail(3, "Unavailable", "57P01")
    for (const error of yield* Effect.forEach(callers, Fiber.join)) {
      assert.instanceOf(error, StoreError)
      assert.strictEqual(error.operation, "Test.run")
    }
    assert.strictEqual(backend.statements.length, 4)
  })
)

it.effect("a batcher without ownerOf does not compile", () =>
  Effect.gen(function* () {
    const { run } = yield* makeBackend
    // @ts-expect-error -- ownerOf is missing
    const writes = yield* Batcher.make<string, string>({ operation: "Test.write", keyOf, sameKey: "wait", run })
    assert.isFunction(writes.submit)
  })
)

for (const sameKey of ["share", "wait"] as const) {
  it.effect(`an item that arrives behind 500 of another owner goes with the next statement (${sameKey})`, () =>
    Effect.gen(function* () {
      const { backend, submit } = yield* make({ sameKey, ownerOf: (item) => item[0]! })
      yield* fork(submit("a"))
      yield* backend.statement(0)
      yield* Effect.forEach(Array.from({ length: 500 }), (_, i) => fork(submit(`a${i}`)))
      const other = yield* fork(submit("b"))
      yield* backend.succeed(0)
      yield* backend.statement(1)
      assert.include(backend.sent()[1]!, "b")
      assert.lengthOf(backend.sent()[1]!, 128)
      yield* backend.succeed(1)
      assert.strictEqual(yield* Fiber.join(other), "b!")
    })
  )
}

it.effect("owners take turns when more items wait than fit, each in order of arrival, and no item is left out", () =>
  Effect.gen(function* () {
    const { backend, submit } = yield* make({ sameKey: "share", maxItems: 4, ownerOf: (item) => item[0]! })
    const early = yield* Effect.forEach(["a1", "a2", "a3", "a4", "a5", "a6", "a7", "b1", "b2", "c1"], (item) =>
      fork(submit(item))
    )
    yield* backend.statement(0)
    const late = yield* Effect.forEach(["c2", "d1"], (item) => fork(submit(item)))
    for (const index of [0, 1, 2]) {
      yield* backend.statement(index)
      yield* backend.succeed(index)
    }
    yield* Effect.forEach([...early, ...late], Fiber.join)
    assert.deepStrictEqual(backend.sent(), [
      ["a1", "b1", "c1", "a2"],
      ["b2", "a3", "c2", "d1"],
      ["a4", "a5", "a6", "a7"]
    ])
  })
)

it.effect("an item that waits too long for its own lock fails alone", () =>
  Effect.gen(function* () {
    const { backend, submit } = yield* make({ ownerOf: (item) => item[0]!, maxInFlight: 3 })
    const callers = yield* Effect.forEach(["a1", "a2", "b1", "c1"], (item) => fork(Effect.exit(submit(item))))
    yield* backend.statement(0)
    yield* backend.fail(0, "Timeout", "55P03")
    yield* backend.statement(3)
    assert.deepStrictEqual(backend.sent().slice(1), [["a1", "a2"], ["b1"], ["c1"]])
    yield* backend.fail(1, "Timeout", "55P03")
    yield* Effect.all([backend.succeed(2), backend.succeed(3)])
    const exits = yield* Effect.forEach(callers, Fiber.join)
    assert.deepStrictEqual(exits.map(Exit.isSuccess), [false, false, true, true])
    assert.lengthOf(backend.sent(), 4)
  })
)

/** Separates the owner `a`: its row is locked, and `b` shared a statement with it. Takes the statements 0 to 2. */
const separate = Effect.fnUntraced(function* ({ backend, submit }: Effect.Success<ReturnType<typeof make>>) {
  const callers = yield* Effect.forEach(["a1", "b1"], (item) => fork(Effect.exit(submit(item))))
  yield* backend.statement(0)
  yield* backend.fail(0, "Timeout", "55P03")
  yield* backend.statement(2)
  yield* backend.fail(1, "Timeout", "55P03")
  yield* backend.succeed(2)
  return yield* Effect.forEach(callers, Fiber.join)
})

it.effect("an owner with a locked row is sent alone until one of its statements succeeds", () =>
  Effect.gen(function* () {
    const { backend, submit } = yield* make({ ownerOf: (item) => item[0]!, maxInFlight: 2 })
    const exits = yield* separate({ backend, submit })
    assert.deepStrictEqual(exits.map(Exit.isSuccess), [false, true])

    const later = yield* Effect.forEach(["a2", "a3", "b2", "c1"], (item) => fork(submit(item)))
    yield* backend.statement(4)
    const last = yield* Effect.forEach(["a4", "d1"], (item) => fork(submit(item)))
    yield* backend.statement(5)
    yield* Effect.all([4, 3, 5].map(backend.succeed))
    yield* backend.statement(6)
    yield* backend.succeed(6)
    yield* Effect.forEach([...later, ...last], Fiber.join)
    assert.sameDeepMembers(backend.sent().slice(3, 5), [
      ["a2", "a3"],
      ["b2", "c1"]
    ])
    assert.deepStrictEqual(backend.sent().slice(5), [["d1"], ["a4"]])

    const together = yield* Effect.forEach(["a5", "b3"], (item) => fork(submit(item)))
    yield* backend.statement(7)
    yield* backend.succeed(7)
    yield* Effect.forEach(together, Fiber.join)
    assert.deepStrictEqual(backend.sent()[7], ["a5", "b3"])
  })
)

it.effect("an item does not wait for a statement that takes long while another owner is sent alone", () =>
  Effect.gen(function* () {
    const ownerOf = (item: string) => item[0]!
    const { backend, submit } = yield* make({ ownerOf, maxInFlight: 2, worthAnother: 100, patience: 0 })
    yield* separate({ backend, submit })
    yield* Effect.forEach(["a2", "c1"], (item) => fork(submit(item)))
    yield* backend.statement(4)
    yield* fork(submit("d1"))
    yield* backend.statement(5)
    assert.sameDeepMembers(backend.sent().slice(3), [["a2"], ["c1"], ["d1"]])
  })
)

it.effect("an owner is not separated while another statement still holds its rows", () =>
  Effect.gen(function* () {
    const { backend, submit } = yield* make({ ownerOf: (item) => item[0]!, maxInFlight: 2 })
    const first = yield* Effect.forEach(["a1", "b1"], (item) => fork(Effect.exit(submit(item))))
    yield* backend.statement(0)
    const second = yield* Effect.forEach(["a2", "b2"], (item) => fork(Effect.exit(submit(item))))
    yield* backend.statement(1)
    yield* backend.fail(0, "Timeout", "55P03")
    yield* started
    assert.lengthOf(backend.sent(), 2)
    const other = yield* fork(submit("c1"))
    yield* backend.statement(2)
    yield* backend.succeed(2)
    yield* Fiber.join(other)
    // The statement waited for several locks in a row, until its time was up.
    yield* backend.fail(1, "Timeout", "57014")
    yield* backend.statement(4)
    yield* backend.fail(3, "Timeout", "55P03")
    yield* backend.succeed(4)
    const exits = yield* Effect.forEach([...first, ...second], Fiber.join)
    assert.deepStrictEqual(exits.map(Exit.isSuccess), [false, true, false, true])
    assert.deepStrictEqual(backend.sent(), [["a1", "b1"], ["a2", "b2"], ["c1"], ["a1", "a2"], ["b1", "b2"]])
  })
)

it.effect("an item that waits again after a lock wait is sent once, together with its owner's other items", () =>
  Effect.gen(function* () {
    const { backend, submit } = yield* make({ ownerOf: (item) => item[0]!, maxItems: 4 })
    const callers = yield* Effect.forEach(["a1", "a2", "a3", "b1", "b2", "b3"], (item) => fork(submit(item)))
    yield* backend.statement(0)
    yield* backend.fail(0, "Timeout", "55P03")
    yield* backend.statement(1)
    assert.deepStrictEqual(backend.sent()[1], ["a1", "a2", "a3"])
    yield* backend.succeed(1)
    yield* backend.statement(2)
    yield* backend.succeed(2)
    assert.deepStrictEqual(backend.sent()[2], ["b1", "b2", "b3"])
    yield* Effect.forEach(callers, Fiber.join)
    const later = yield* fork(submit("a4"))
    yield* backend.statement(3)
    yield* backend.succeed(3)
    yield* Fiber.join(later)
    assert.deepStrictEqual(backend.sent().slice(3), [["a4"]])
  })
)

/** The outcome of each statement. The seed determines the order. */
const outcomes = ["well", "well", "well", "55P03", "55P03", "57014", "Deadlock", "Rejected"] as const

const aTurn = Effect.promise(() => new Promise((resume) => setImmediate(resume)))

/**
 * Submits 60 items of four owners and ends statements in random order. Returns the sent items and the callers without a
 * result.
 */
const playedByChance = Effect.fnUntraced(function* (seed: number) {
  let state = seed
  const below = (n: number) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return Math.floor((state / 2 ** 32) * n)
  }
  const open = new Set<number>()
  const faults = new Set<string>()
  const answered = new Set<string>()
  const maxItems = 1 + below(6)
  const { backend, submit } = yield* make({ ownerOf: (item) => item[0]!, maxItems, maxInFlight: 1 + below(3) })
  let ended = 0
  /** Checks the new statements, and ends one open statement. */
  const endOne = Effect.suspend(() => {
    for (; ended < backend.statements.length; ended++) {
      const { items } = backend.statements[ended]!
      const running = [...open].flatMap((index) => backend.statements[index]!.items)
      if (new Set([...running, ...items].map(keyOf)).size < running.length + items.length)
        faults.add("a key in flight twice")
      if (items.some((item) => answered.has(item))) faults.add("an item after its answer")
      open.add(ended)
    }
    const index = [...open][below(open.size)]
    if (index === undefined) return Effect.void
    open.delete(index)
    const outcome = outcomes[below(outcomes.length)]!
    if (outcome === "well") return backend.succeed(index)
    const isTime = outcome === "55P03" || outcome === "57014"
    return backend.fail(index, isTime ? "Timeout" : outcome, isTime ? outcome : null)
  })
  const callers = []
  for (let i = 0; i < 60; i++) {
    const item = `${"abcd"[below(4)]}${below(12)}:${i}`
    callers.push(
      yield* fork(
        Effect.ensuring(
          Effect.exit(submit(item)),
          Effect.sync(() => answered.add(item))
        )
      )
    )
    if (below(3) === 0) yield* Effect.andThen(aTurn, endOne)
  }
  for (let i = 0; i < 2_000 && answered.size < 60; i++) yield* Effect.andThen(aTurn, endOne)
  return { faults: [...faults], answered: answered.size, statements: backend.statements.length }
})

it.effect.each(Array.from({ length: 20 }, (_, seed) => seed + 1))(
  "each item gets one result, and is never in flight twice or sent after its result, despite failing statements (%i)",
  (seed) =>
    Effect.gen(function* () {
      const { answered, faults, statements } = yield* playedByChance(seed)
      assert.deepStrictEqual(faults, [])
      assert.strictEqual(answered, 60)
      assert.isBelow(statements, 1_000)
    })
)

it.effect("when the database stops responding, waiting callers fail without another full wait", () =>
  Effect.gen(function* () {
    const { backend, submit } = yield* make()
    const callers = yield* Effect.forEach(["a", "b:1", "b:2"], (item, index) =>
      Effect.andThen(fork(Effect.exit(submit(item))), (fiber) =>
        Effect.as(index === 0 ? backend.statement(0) : Effect.void, fiber)
      )
    )
    yield* backend.fail(0, "Timeout")
    const exits = yield* Effect.forEach(callers.slice(0, 2), Fiber.join)
    assert.deepStrictEqual(exits.map(Exit.isFailure), [true, true])
    yield* backend.statement(1)
    yield* backend.succeed(1)
    assert.deepStrictEqual(backend.sent(), [["a"], ["b:2"]])
  })
)

it.effect("a caller that leaves harms no other caller, and its unsent item is never sent", () =>
  Effect.gen(function* () {
    const { backend, submit } = yield* make()
    const inFlight = yield* Effect.forEach(["a", "b"], (item) => fork(submit(item)))
    yield* backend.statement(0)
    const waiting = yield* Effect.forEach(["c", "d", "d:behind"], (item) => fork(submit(item)))
    yield* Fiber.interrupt(inFlight[0]!)
    yield* Fiber.interrupt(waiting[0]!)
    yield* Fiber.interrupt(waiting[1]!)
    yield* backend.succeed(0)
    yield* backend.statement(1)
    yield* backend.succeed(1)
    assert.strictEqual(yield* Fiber.join(inFlight[1]!), "b!")
    assert.strictEqual(yield* Fiber.join(waiting[2]!), "d:behind!")
    assert.deepStrictEqual(backend.sent(), [["a", "b"], ["d:behind"]])
  })
)

it.effect("callers beyond the limit fail immediately instead of waiting", () =>
  Effect.gen(function* () {
    const { backend, submit } = yield* make({ maxWaiting: 3 })
    yield* fork(submit("a"))
    yield* backend.statement(0)
    yield* Effect.forEach(["b", "c", "c:2"], (item) => fork(submit(item)))
    assert.instanceOf(yield* Effect.flip(submit("d")), StoreError)
    yield* backend.succeed(0)
    yield* backend.statement(1)
    yield* fork(submit("d"))
    yield* backend.succeed(1)
    yield* backend.statement(2)
    assert.deepStrictEqual(backend.sent(), [["a"], ["b", "c"], ["c:2", "d"]])
  })
)

it.effect("closing answers every waiting caller", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const { backend, submit } = yield* Scope.provide(make(), scope)
    const callers = yield* Effect.forEach(["a", "a:2", "b", "c"], (item, index) =>
      Effect.andThen(fork(Effect.flip(submit(item))), (fiber) =>
        Effect.as(index === 0 ? backend.statement(0) : Effect.void, fiber)
      )
    )
    yield* Scope.close(scope, Exit.void)
    for (const error of yield* Effect.forEach(callers, Fiber.join)) assert.instanceOf(error, StoreError)
    assert.instanceOf(yield* Effect.flip(submit("d")), StoreError)
  })
)
