import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Receipts } from "../../src/index.ts"
import {
  type CallbackAnswer,
  type Channel,
  Channels,
  type Inbound,
  InboundListener,
  type Receipt
} from "../../src/index.channel.ts"
import { StoreError } from "../../src/index.storage.ts"

const dlv = (n: number) => `dlv_${String(n).padStart(26, "0")}`
const receipt = (owner: string, n: number, status: Receipt["status"] = "DELIVERED"): Receipt => ({
  reference: `env_1.${owner}.${dlv(n)}`,
  status,
  providerId: null,
  providerCode: null
})

const written = (id: string): Inbound.Inbound => ({
  _tag: "Deletion",
  id,
  provider: "acme",
  receiver: "1",
  sender: { phone: "919812345678", userId: null, profileName: null },
  at: 0,
  messageId: "m1"
})

const request = {
  method: "POST",
  url: "https://x.example/",
  query: {},
  header: () => undefined,
  body: new Uint8Array()
}

const reporting = (answer: Partial<CallbackAnswer>): Channel => ({
  name: "WHATSAPP",
  provider: "acme",
  supports: { identityTypes: ["MOBILE"], receipts: true },
  send: () => Effect.succeed({ providerId: null }),
  callback: {
    name: "acme",
    receive: () =>
      Effect.succeed({ status: 202, contentType: "text/plain", body: "heard", receipts: [], inbound: [], ...answer })
  }
})

const unheard = Layer.succeed(InboundListener, InboundListener.of({ take: () => Effect.void }))

const withReceipts = <A, E>(
  answer: Partial<CallbackAnswer>,
  use: (receipts: Receipts["Service"]) => Effect.Effect<A, E>,
  listener: Layer.Layer<InboundListener> = unheard
) =>
  Effect.flatMap(Receipts, use).pipe(
    Effect.provide(
      Receipts.layerNoDeps.pipe(Layer.provide(listener), Layer.provide(Channels.layer([reporting(answer)])))
    )
  )

/** An owner that keeps what it is given. */
const keeper = () => {
  const kept: Array<readonly [owner: string, statuses: ReadonlyArray<string>]> = []
  return {
    kept,
    take: ({ ownerId }: { readonly ownerId: string }, receipts: ReadonlyArray<Receipt>) =>
      Effect.sync(() => void kept.push([ownerId, receipts.map(({ status }) => status)]))
  }
}

describe("receipts", () => {
  it.effect("go to whoever owns deliveries of that kind, and are passed over when nobody does", () => {
    const [ver, lead] = [keeper(), keeper()]
    const receipts = [
      receipt("ver_1", 1),
      receipt("lead_7", 2),
      receipt("cmp_1", 3),
      { ...receipt("ver_1", 4), reference: "nonsense" }
    ]
    return withReceipts({ receipts }, (service) =>
      Effect.gen(function* () {
        yield* service.own("ver", ver.take)
        yield* service.own("lead", lead.take)
        assert.deepStrictEqual(yield* service.receive("acme", request), {
          status: 202,
          contentType: "text/plain",
          body: "heard"
        })
        assert.deepStrictEqual(ver.kept, [["ver_1", ["DELIVERED"]]])
        assert.deepStrictEqual(lead.kept, [["lead_7", ["DELIVERED"]]])
      })
    )
  })

  it.effect("about one message are given together, good news first", () => {
    const ver = keeper()
    const receipts = (["FAILED", "READ", "SENT"] as const).map((status) => receipt("ver_1", 1, status))
    return withReceipts({ receipts }, (service) =>
      Effect.gen(function* () {
        yield* service.own("ver", ver.take)
        yield* service.receive("acme", request)
        assert.deepStrictEqual(ver.kept, [["ver_1", ["SENT", "READ", "FAILED"]]])
      })
    )
  })
})

describe("what people write", () => {
  const inbound = [written("in1"), written("in2")]

  it.effect("is dropped while nobody listens, and its callback's receipts are kept", () => {
    const ver = keeper()
    return withReceipts({ receipts: [receipt("ver_1", 1)], inbound }, (service) =>
      Effect.gen(function* () {
        yield* service.own("ver", ver.take)
        assert.strictEqual((yield* service.receive("acme", request)).status, 202)
        assert.lengthOf(ver.kept, 1)
      })
    )
  })

  it.effect("reaches the listener after the receipts, and a callback that it could not keep is not answered", () => {
    const order: Array<string> = []
    let broken = true
    const listener = Layer.succeed(
      InboundListener,
      InboundListener.of({
        take: (all) =>
          Effect.suspend(() => {
            order.push(`inbound ${all.map(({ id }) => id).join(" ")}`)
            return broken ? Effect.fail(new StoreError({ operation: "keep", cause: "away" })) : Effect.void
          })
      })
    )
    return withReceipts(
      { receipts: [receipt("ver_1", 1)], inbound },
      (service) =>
        Effect.gen(function* () {
          yield* service.own("ver", () => Effect.sync(() => void order.push("receipts")))
          assert.isTrue(Exit.isFailure(yield* Effect.exit(service.receive("acme", request))))
          broken = false
          yield* service.receive("acme", request)
          assert.deepStrictEqual(order, ["receipts", "inbound in1 in2", "receipts", "inbound in1 in2"])
        }),
      listener
    )
  })

  it.effect("a provider that reports a thousand things at once waits for itself, and all of it is taken", () => {
    let underWay = 0
    let most = 0
    let taken = 0
    const listener = Layer.succeed(
      InboundListener,
      InboundListener.of({
        take: () =>
          Effect.gen(function* () {
            most = Math.max(most, ++underWay)
            yield* Effect.sleep("1 second")
            underWay--
            taken++
          })
      })
    )
    return withReceipts(
      { inbound: [written("m2")] },
      ({ receive }) =>
        Effect.gen(function* () {
          const all = yield* Effect.forkChild(
            Effect.forEach(Array.from({ length: 1_000 }), () => receive("acme", request), { concurrency: "unbounded" })
          )
          yield* TestClock.adjust("1 second")
          assert.strictEqual(taken, most)
          yield* TestClock.adjust("1 hour")
          yield* Fiber.join(all)
          assert.strictEqual(taken, 1_000)
          assert.isAtMost(most, 16)
        }),
      listener
    )
  })

  it.effect("a request that is given up gives its turn to the next", () => {
    let isStuck = true
    const listener = Layer.succeed(
      InboundListener,
      InboundListener.of({ take: () => (isStuck ? Effect.never : Effect.void) })
    )
    return withReceipts(
      { inbound: [written("m3")] },
      ({ receive }) =>
        Effect.gen(function* () {
          const stuck = yield* Effect.forkChild(
            Effect.forEach(Array.from({ length: 100 }), () => receive("acme", request), { concurrency: "unbounded" })
          )
          yield* Effect.yieldNow
          isStuck = false
          yield* Fiber.interrupt(stuck)
          assert.strictEqual((yield* receive("acme", request)).status, 202)
        }),
      listener
    )
  })
})
