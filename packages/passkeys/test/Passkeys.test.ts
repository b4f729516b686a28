import type { PasskeyKey, RelyingParty } from "@countersign/core/person"
import { SoftAuthenticator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Passkeys } from "../src/index.ts"

const passkeys = Passkeys.make()
const party: RelyingParty = { id: "verify.example.com", name: "Countersign", origin: "https://verify.example.com" }
const challenge = Buffer.from("a challenge of thirty-two bytes.").toString("base64url")
const asked = { challenge, origin: party.origin, rpId: party.id }
const owner = { handle: Buffer.from("somebody").toString("base64url"), name: "asha@example.com" }

const made = Effect.fnUntraced(function* (authenticator: SoftAuthenticator) {
  const key = yield* passkeys.created(party, { challenge, response: authenticator.create(asked) })
  return key ?? assert.fail("a genuine passkey was refused")
})

type Response = ReturnType<SoftAuthenticator["use"]>

const changed = (response: Response, change: (bytes: Buffer) => void, field: keyof Response["response"]): Response => {
  const bytes = Buffer.from(response.response[field], "base64url")
  change(bytes)
  return { ...response, response: { ...response.response, [field]: bytes.toString("base64url") } }
}

describe("passkeys", () => {
  it.effect("are requested as discoverable and user-verified, without attestation", () =>
    Effect.gen(function* () {
      const existing: ReadonlyArray<PasskeyKey> = [{ id: "AAAA", publicKey: "", counter: 0, transports: ["usb"] }]
      const creation = yield* passkeys.creation(party, { challenge, owner, existing })
      assert.deepInclude(creation, {
        challenge,
        rp: { id: party.id, name: party.name },
        user: { id: owner.handle, name: owner.name, displayName: owner.name },
        attestation: "none",
        excludeCredentials: [{ id: "AAAA", type: "public-key", transports: ["usb"] }]
      })
      assert.deepInclude(creation["authenticatorSelection"], {
        residentKey: "required",
        userVerification: "required"
      })
      const request = yield* passkeys.request(party, { challenge })
      assert.deepInclude(request, { challenge, rpId: party.id, userVerification: "required" })
      assert.notProperty(request, "allowCredentials")
    })
  )

  it.effect("are created once, used repeatedly, and count their uses", () =>
    Effect.gen(function* () {
      const authenticator = new SoftAuthenticator()
      const key = yield* made(authenticator)
      assert.deepStrictEqual([key.counter, key.transports], [0, ["internal"]])
      const first = yield* passkeys.used(party, { challenge, key, response: authenticator.use(asked) })
      assert.strictEqual(first, 1)
      const second = yield* passkeys.used(party, {
        challenge,
        key: { ...key, counter: 1 },
        response: authenticator.use(asked)
      })
      assert.strictEqual(second, 2)
    })
  )

  it.effect("for another challenge, page or site, or without user verification, are refused", () =>
    Effect.gen(function* () {
      const authenticator = new SoftAuthenticator()
      const others = [
        { ...asked, challenge: owner.handle },
        { ...asked, origin: "https://verify.example.com.evil.example" },
        { ...asked, origin: "http://verify.example.com" },
        { ...asked, origin: "https://verify.example.com:8443" },
        { ...asked, rpId: "example.com" }
      ]
      const key = yield* made(authenticator)
      for (const other of others) {
        assert.isNull(yield* passkeys.created(party, { challenge, response: authenticator.create(other) }))
        assert.isNull(yield* passkeys.used(party, { challenge, key, response: authenticator.use(other, key.id) }))
      }
      authenticator.verifiesUser = false
      assert.isNull(yield* passkeys.created(party, { challenge, response: authenticator.create(asked) }))
      assert.isNull(yield* passkeys.used(party, { challenge, key, response: authenticator.use(asked, key.id) }))
    })
  )

  it.effect("of a clone with a newer counter, with another key, or tampered with are refused", () =>
    Effect.gen(function* () {
      const [mine, other] = [new SoftAuthenticator(), new SoftAuthenticator()]
      const [key, foreign] = [yield* made(mine), yield* made(other)]
      const response = mine.use(asked)
      const used = (response: Response, given = key) => passkeys.used(party, { challenge, key: given, response })
      assert.isNull(yield* used(response, { ...key, counter: 5 }))
      assert.isNull(yield* used(response, { ...key, counter: 1 }))
      assert.isNull(yield* used(response, foreign))
      assert.isNull(yield* used({ ...response, id: foreign.id, rawId: foreign.id }))
      assert.isNull(yield* used(changed(response, (bytes) => bytes.writeUInt32BE(9, 33), "authenticatorData")))
      assert.isNull(yield* used(changed(response, (bytes) => bytes.reverse(), "signature")))
      assert.strictEqual(yield* used(response), 1)
    })
  )

  it.effect("that are not a browser's response are refused", () =>
    Effect.gen(function* () {
      const key = yield* made(new SoftAuthenticator())
      const nonsense: ReadonlyArray<{ readonly [name: string]: unknown }> = [
        {},
        { id: key.id },
        { id: key.id, rawId: key.id, type: "public-key", response: null },
        { id: key.id, rawId: key.id, type: "public-key", response: { clientDataJSON: "e30" } },
        { id: 7, rawId: [], type: {}, response: { clientDataJSON: 1, authenticatorData: 2, signature: 3 } },
        { ["__proto__"]: { verified: true }, response: { clientDataJSON: "%%%" } }
      ]
      for (const response of nonsense) {
        assert.isNull(yield* passkeys.created(party, { challenge, response }))
        assert.isNull(yield* passkeys.used(party, { challenge, key, response }))
      }
    })
  )
})
