import { Core } from "@countersign/core"
import type { Channel } from "@countersign/core/channel"
import { MemoryStorage } from "@countersign/core/memory"
import type { IdentityProvider, PasskeyVerifier } from "@countersign/core/person"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { Dispatcher, type DispatcherOptions } from "../src/index.ts"

const mail: Channel = {
  name: "EMAIL",
  provider: "acme",
  supports: { identityTypes: ["EMAIL"], receipts: false, kinds: ["Code"] },
  send: () => Effect.succeed({ providerId: null })
}
// These tests never call them.
const passkeys = {} as PasskeyVerifier
const identityProvider = { name: "accounts.example.com" } as IdentityProvider

const waysOf = async (core: Partial<Core.Options>, options: DispatcherOptions = {}) => {
  const runtime = ManagedRuntime.make(
    Dispatcher.layer(options).pipe(
      Layer.provide(
        Core.layer({ secret: Redacted.make("00".repeat(32)), publicUrl: "http://localhost", channels: [], ...core })
      ),
      Layer.provide(MemoryStorage.layer)
    )
  )
  const { body, status } = await runtime.runPromise(
    Effect.flatMap(Dispatcher, ({ dispatch }) =>
      dispatch({
        method: "GET",
        path: "/v1/dashboard/sign-in",
        query: "",
        remoteAddress: "203.0.113.7",
        header: () => undefined,
        body: () => Effect.die("the body was read")
      })
    )
  )
  await runtime.dispose()
  assert.strictEqual(status, 200)
  return JSON.parse(body as string)
}

describe("the list of sign-in methods", () => {
  it("is public, and contains only what is configured", async () => {
    assert.deepStrictEqual(await waysOf({}), { email: false, oidc: false, passkey: false, outbox: null })
    assert.deepStrictEqual(await waysOf({ channels: [mail], passkeys, identityProvider }), {
      email: true,
      oidc: true,
      passkey: true,
      outbox: null
    })
  })

  it("names the outbox page if there is one", async () => {
    const { outbox } = await waysOf({ channels: [mail] }, { outboxPage: "/dev/outbox" })
    assert.strictEqual(outbox, "/dev/outbox")
  })

  it("offers neither passkeys nor an identity provider if the dashboard's URL is not configured", async () => {
    const ways = await waysOf({ linkUrl: null, channels: [mail], passkeys, identityProvider })
    assert.deepStrictEqual(ways, { email: true, oidc: false, passkey: false, outbox: null })
  })
})
