import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Redacted } from "effect"
import { Keyring, MasterKey } from "../../src/index.ts"
import { build, secrets } from "../fixtures/World.ts"

const ring = (secret: string, previous?: ReadonlyArray<string>) =>
  build(Keyring.layer({ secret: Redacted.make(secret), previous: previous?.map((text) => Redacted.make(text)) })).pipe(
    Effect.map((context) => Context.get(context, Keyring))
  )

const bytes = Uint8Array.from({ length: 32 }, (_, i) => 255 - i)
const base64url = Buffer.from(bytes).toString("base64url")
const hex = Buffer.from(bytes).toString("hex")
const purposes = ["code", "token-signing"] as const

describe("the keyring", () => {
  it.effect.each([
    ["hex", hex],
    ["upper-case hex", hex.toUpperCase()],
    ["base64url", base64url],
    ["base64url with padding", `${base64url}=`],
    ["with a line break around it", `\n${base64url} \n`]
  ])("reads 32 bytes as %s", ([_form, text]) =>
    Effect.gen(function* () {
      const { current, all, find } = yield* ring(text!)
      const expected = new MasterKey(bytes)
      assert.strictEqual(current.id, expected.id)
      assert.deepStrictEqual(current.derive("code"), expected.derive("code"))
      assert.deepStrictEqual([all.length, find(current.id)], [1, current])
    })
  )

  it.effect.each([
    ["nothing", ""],
    ["31 bytes", hex.slice(2)],
    ["33 bytes", `${hex}00`],
    ["an odd number of hex digits", hex.slice(1)],
    ["a letter that is not hex", `g${hex.slice(1)}`],
    ["42 characters of base64url", base64url.slice(1)],
    ["44 characters of base64url", `${base64url}A`],
    ["base64 with + and /", "+/".repeat(21) + "A"],
    ["a password", "correct horse battery staple, and then some!"],
    ["a null character", `${hex.slice(1)}\0`]
  ])("refuses %s without quoting it", ([_what, text]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(ring(text!))
      assert.strictEqual(error.problem, "the secret must be 32 bytes in base64url (43 characters) or hex (64)")
      const previous = yield* Effect.flip(ring(hex, [secrets.second, text!]))
      assert.strictEqual(
        previous.problem,
        "previous secret 2 must be 32 bytes in base64url (43 characters) or hex (64)"
      )
    })
  )

  it.effect("finds the current and the previous keys by their id, and no others", () =>
    Effect.gen(function* () {
      const { all, current, find } = yield* ring(secrets.first, [secrets.second, hex])
      const [first, second, third] = [secrets.first, secrets.second, hex].map(
        (text) => new MasterKey(new Uint8Array(Buffer.from(text, "hex"))).id
      )
      assert.strictEqual(current.id, first)
      assert.deepStrictEqual(
        all.map(({ id }) => id),
        [first, second, third]
      )
      assert.deepStrictEqual(
        [first!, second!, third!, "", "__proto__", "constructor", first!.toUpperCase()].map((id) => find(id)?.id),
        [first, second, third, undefined, undefined, undefined, undefined]
      )
    })
  )

  it("derives an unrelated key for each purpose, and reveals nothing of the secret", () => {
    const key = new MasterKey(bytes)
    const derived = purposes.map((purpose) => Buffer.from(key.derive(purpose)).toString("hex"))
    assert.strictEqual(new Set([...derived, hex, key.id]).size, purposes.length + 2)
    assert.strictEqual(key.derive("code", 40).length, 40)
    assert.match(key.id, /^[0-9a-f]{12}$/)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(key)), { id: key.id })
    assert.notInclude(String(Object.values(key)), hex.slice(0, 12))
  })

  it("computes the same MAC as the platform", async () => {
    const key = new MasterKey(bytes)
    const imported = await crypto.subtle.importKey(
      "raw",
      new Uint8Array(key.derive("code")),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["sign"]
    )
    for (const text of ["", "ver_0", "ü", "x".repeat(200)]) {
      const expected = new Uint8Array(await crypto.subtle.sign("HMAC", imported, new TextEncoder().encode(text)))
      assert.deepStrictEqual(key.mac("code", text), expected)
    }
  })
})
