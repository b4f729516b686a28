import { HttpWebhookSender } from "@countersign/webhooks"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { fromNameServers, fromSystem } from "../src/Resolver.ts"
import * as NameServer from "./fixtures/NameServer.ts"
import * as Receiver from "./fixtures/Receiver.ts"
import { webhook } from "./fixtures/sender.ts"

const zone: NameServer.Zone = {
  "both.example": { addresses: ["192.31.196.1", "192.31.196.2", "2620:4f:8000::1"] },
  "four.example": { addresses: ["192.31.196.1"] },
  "six.example": { addresses: ["2620:4f:8000::1"] },
  "none.example": { addresses: [] },
  "alias.example": { addresses: [], alias: "four.example" },
  "inside.example": { addresses: ["127.0.0.1"] },
  "alias-inside.example": { addresses: [], alias: "alias-again.example" },
  "alias-again.example": { addresses: [], alias: "inside.example" },
  "refused.example": "REFUSED",
  "silent.example": "SILENT"
}

describe("the resolver with name servers", () => {
  it.effect("returns all addresses of both families, also through aliases", () =>
    Effect.gen(function* () {
      const { address, asked } = yield* NameServer.make(zone)
      const resolve = fromNameServers([address])
      const sorted = (name: string) => Effect.map(resolve(name), (found) => found.toSorted())
      assert.deepStrictEqual(yield* sorted("both.example"), ["192.31.196.1", "192.31.196.2", "2620:4f:8000::1"])
      assert.deepStrictEqual(yield* sorted("four.example"), ["192.31.196.1"])
      assert.deepStrictEqual(yield* sorted("six.example"), ["2620:4f:8000::1"])
      assert.deepStrictEqual(yield* sorted("alias.example"), ["192.31.196.1"])
      // Never as part of another name.
      assert.deepStrictEqual(
        new Set(asked.map((question) => question.split(" ")[0])),
        new Set(["both.example", "four.example", "six.example", "alias.example"])
      )
    })
  )

  it.effect("distinguishes a missing name from a failed query", () =>
    Effect.gen(function* () {
      const { address } = yield* NameServer.make(zone)
      const resolve = fromNameServers([address])
      assert.strictEqual((yield* Effect.flip(resolve("unknown.example"))).reason, "UNKNOWN")
      assert.strictEqual((yield* Effect.flip(resolve("none.example"))).reason, "UNKNOWN")
      assert.strictEqual((yield* Effect.flip(resolve("refused.example"))).reason, "UNANSWERED")
    })
  )

  it.live("stops immediately when it is interrupted", () =>
    Effect.gen(function* () {
      const { address, asked } = yield* NameServer.make(zone)
      const fiber = yield* Effect.forkChild(fromNameServers([address])("silent.example"), { startImmediately: true })
      yield* Effect.yieldNow.pipe(Effect.repeat({ until: () => asked.length > 0 }))
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("never returns a private address, through any number of aliases", () =>
    Effect.gen(function* () {
      const { address } = yield* NameServer.make(zone)
      const trap = yield* Receiver.trap
      const { check, send } = yield* HttpWebhookSender.make({ resolve: fromNameServers([address]) })
      for (const name of ["inside.example", "alias-inside.example"]) {
        const url = `https://${name}:${trap.port}/`
        const { problem } = yield* Effect.flip(check(url))
        assert.match(problem, /^cannot be used: the host name leads to an address that is not on the public internet/)
        assert.strictEqual((yield* Effect.flip(send(webhook(url)))).reason, "ADDRESS_REFUSED")
      }
      assert.deepStrictEqual(trap.sockets, [])
    })
  )
})

describe("the resolver of the system", () => {
  it.effect("knows the host names of this machine", () =>
    Effect.gen(function* () {
      assert.include(yield* fromSystem("localhost"), "127.0.0.1")
      assert.deepStrictEqual(yield* fromSystem("192.0.2.1"), ["192.0.2.1"])
    })
  )
})
