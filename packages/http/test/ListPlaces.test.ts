import { StorageShare } from "@countersign/core/storage"
import { Deferred, Effect, Exit, Fiber, Stream } from "effect"
import { assert, describe, it } from "vitest"
import { ListPlaces } from "../src/ListPlaces.ts"
import { contract } from "../src/Routes.ts"
import type { WireResponse } from "../src/WireResponse.ts"

const answer: WireResponse = { status: 200, headers: {}, body: "" }
const run = <A, E>(program: Effect.Effect<A, E>) => Effect.runPromise(program)

describe("the places for concurrent reads", () => {
  it("every read by a team member takes a place, and no sign-in does", () => {
    const of = (takesPlace: boolean) =>
      contract.filter((route) => route.takesPlace === takesPlace).map(({ method, path }) => `${method} ${path}`)
    const reads = contract.filter(({ method, needs }) => method === "GET" && needs.credential === "staff")
    assert.deepStrictEqual(
      of(true),
      reads.map(({ method, path }) => `${method} ${path}`)
    )
    assert.includeMembers(of(true), [
      "GET /v1/dashboard/campaigns",
      "GET /v1/dashboard/campaigns/:id/recipients",
      "GET /v1/whatsapp/leads",
      "GET /v1/dashboard/ledger"
    ])
    assert.includeMembers(of(false), ["POST /v1/auth/initiate", "POST /v1/auth/verify", "GET /v1/auth/status"])
    const holdNone = contract.filter(({ bodyHoldsPlace }) => !bodyHoldsPlace).map(({ path }) => path)
    assert.sameMembers(holdNone, ["/v1/dashboard/live", "/v1/dashboard/leads/:id/messages/:mid/media"])
  })

  it("an environment runs 4 reads, queues 32 and refuses the next, and other environments are unaffected", () =>
    run(
      Effect.gen(function* () {
        const places = new ListPlaces()
        const open = yield* Deferred.make<void>()
        let [running, most] = [0, 0]
        const read = Effect.gen(function* () {
          most = Math.max(most, ++running)
          assert.strictEqual(yield* StorageShare, "lists")
          yield* Deferred.await(open)
          running--
          return answer
        })
        const all = yield* Effect.forEach(Array.from({ length: 36 }), () =>
          Effect.forkChild(places.within("a", true, read), { startImmediately: true })
        )
        assert.strictEqual(running, 4)
        const refused = yield* Effect.flip(places.within("a", true, read))
        assert.strictEqual(refused._tag, "ListsBusy")
        assert.strictEqual((yield* places.within("b", true, Effect.succeed(answer))).status, 200)
        yield* Deferred.succeed(open, undefined)
        yield* Effect.forEach(all, Fiber.join)
        assert.strictEqual(most, 4)
      })
    ))

  it("a place is released after a failure, after a disconnect, and when a file has been read", () =>
    run(
      Effect.gen(function* () {
        const places = new ListPlaces()
        const fill = Effect.forEach(Array.from({ length: 4 }), () =>
          Effect.forkChild(places.within("a", true, Effect.never), { startImmediately: true })
        )
        for (let round = 0; round < 9; round++) {
          assert.isTrue(Exit.isFailure(yield* Effect.exit(places.within("a", true, Effect.fail("no")))))
        }
        const gone = yield* fill
        const waiting = yield* Effect.forkChild(places.within("a", true, Effect.succeed(answer)), {
          startImmediately: true
        })
        const left = yield* Effect.forkChild(Fiber.interrupt(waiting), { startImmediately: true })
        yield* Effect.forEach(gone, Fiber.interrupt)
        yield* Fiber.join(left)
        const file = Stream.fromEffect(Effect.map(StorageShare, (share) => new TextEncoder().encode(share)))
        const answers = yield* Effect.forEach(Array.from({ length: 2 }), () =>
          places.within("a", true, Effect.succeed({ ...answer, body: file }))
        )
        // Two slow downloads leave places for lists. A third one is refused, and gives its place back.
        const third = yield* Effect.flip(places.within("a", true, Effect.succeed({ ...answer, body: file })))
        assert.strictEqual(third._tag, "ListsBusy")
        const lists = yield* Effect.forEach(Array.from({ length: 2 }), () =>
          Effect.forkChild(places.within("a", true, Effect.never), { startImmediately: true })
        )
        const next = yield* Effect.forkChild(places.within("a", false, Effect.succeed({ ...answer, body: file })), {
          startImmediately: true
        })
        yield* Effect.yieldNow
        assert.isUndefined(next.pollUnsafe())
        for (const { body } of answers) {
          assert.strictEqual(yield* Stream.mkString(Stream.decodeText(body as typeof file)), "lists")
        }
        yield* Fiber.join(next)
        yield* Effect.forEach(lists, Fiber.interrupt)
        // A body that holds no place released it before it is read.
        assert.strictEqual((yield* places.within("a", true, Effect.succeed(answer))).status, 200)
      })
    ))
})
