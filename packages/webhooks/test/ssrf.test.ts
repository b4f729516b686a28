import { HttpWebhookSender } from "@countersign/webhooks"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Receiver from "./fixtures/Receiver.ts"
import { countSockets, webhook } from "./fixtures/sender.ts"
import { forbiddenNames, literals, malformed, treacherousNames } from "./fixtures/vectors.ts"

const vectors: ReadonlyArray<readonly [url: string, asked: number]> = [
  ...literals.map((host) => [`https://${host}:{port}/hook`, 0] as const),
  ...forbiddenNames.map((name) => [`https://${name}:{port}/hook`, 0] as const),
  ...Object.keys(treacherousNames).map((name) => [`https://${name}:{port}/hook`, 1] as const),
  ...malformed.map((url) => [url, 0] as const)
]

/** Every other name resolves to the trap, so only the rules prevent a connection. */
const resolver = () => {
  const asked: Array<string> = []
  const resolve = (name: string) =>
    Effect.sync(() => {
      asked.push(name)
      return treacherousNames[name] ?? ["127.0.0.1"]
    })
  return { asked, resolve }
}

describe("no webhook reaches a private address", () => {
  it("through any of many tricks, each tried once", () => {
    assert.isAtLeast(vectors.length, 150)
    assert.strictEqual(new Set(vectors.map(([url]) => url)).size, vectors.length)
  })

  for (const [template, asked] of vectors) {
    it.effect(JSON.stringify(template), () =>
      Effect.gen(function* () {
        const trap = yield* Receiver.trap
        const sockets = yield* countSockets
        const known = resolver()
        const sender = yield* HttpWebhookSender.make({ resolve: known.resolve })
        const url = template.replace("{port}", String(trap.port))

        const invalid = yield* Effect.flip(sender.check(url))
        assert.strictEqual(invalid.field, "url")
        assert.match(invalid.problem, /^(must|cannot) /)

        const failure = yield* Effect.flip(sender.send(webhook(url)))
        assert.strictEqual(failure.reason, "ADDRESS_REFUSED")

        assert.strictEqual(known.asked.length, 2 * asked)
        assert.strictEqual(sockets.opened, 0)
        assert.deepStrictEqual(trap.sockets, [])
      })
    )
  }

  it.effect("and the trap detects a real connection", () =>
    Effect.gen(function* () {
      const trap = yield* Receiver.trap
      const sockets = yield* countSockets
      const sender = yield* HttpWebhookSender.make({ allowPrivate: true })
      for (const host of ["127.0.0.1", "127.1", "0x7f000001", "localhost"]) {
        const failure = yield* Effect.flip(sender.send(webhook(`http://${host}:${trap.port}/`)))
        assert.strictEqual(failure.reason, "CONNECTION")
      }
      assert.strictEqual(trap.sockets.length, 4)
      assert.strictEqual(sockets.opened, 4)
    })
  )
})
