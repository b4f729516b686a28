import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { Identifier, Keyring, MasterKey } from "../../src/index.ts"
import * as DeviceToken from "../../src/auth/verification/deviceToken.ts"
import { deviceIdAt } from "../fixtures/decisions.ts"
import { start } from "../fixtures/World.ts"

const keyOf = (byte: number) => new MasterKey(new Uint8Array(32).fill(byte))
const ringOf = (...all: readonly [MasterKey, ...Array<MasterKey>]) =>
  Keyring.of({ current: all[0], all, find: (id) => all.find((key) => key.id === id) })

const [first, second, third] = [keyOf(1), keyOf(2), keyOf(3)]
const ring = ringOf(first)
const owner = { environment: "live_1", canonical: "919876543210" }
const token = { id: deviceIdAt(start, 7), serial: 3 }
const text = DeviceToken.write(first, owner, token)

const reads = (given: string, of = owner, keys = ring) => DeviceToken.read(keys, of, given)

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

describe("a device token", () => {
  it("contains its id, its serial and 256 bits, in text that fits into a header", () => {
    assert.match(text, /^dvc_[0-9a-z]{26}\.3\.[A-Za-z0-9_-]{43}$/)
    assert.strictEqual(DeviceToken.write(first, owner, token), text)
    assert.strictEqual(Identifier.timeOf(token.id), start)
  })

  it("is invalid for another person, another environment, or both", () => {
    assert.deepStrictEqual(reads(text), token)
    for (const other of [
      { ...owner, canonical: "919876543211" },
      { ...owner, environment: "test_1" },
      { environment: "live_1\n919876543210", canonical: "" },
      { environment: "live_", canonical: "1\n919876543210" },
      { environment: "", canonical: "live_1\n919876543210" }
    ]) {
      assert.isNull(reads(text, other), JSON.stringify(other))
    }
  })

  it("is invalid in any other spelling", () => {
    const [id, serial, mac] = text.split(".") as [string, string, string]
    const spelled = [
      "",
      " ",
      id,
      `${id}.${serial}`,
      `${id}.${serial}.`,
      `${text}=`,
      `${text}.`,
      ` ${text}`,
      `${text} `,
      `${text}\n`,
      `\n${text}`,
      `${text}\0`,
      `${text}\n${text}`,
      text.toUpperCase(),
      `${id}.0${serial}.${mac}`,
      `${id}.+${serial}.${mac}`,
      `${id}.-${serial}.${mac}`,
      `${id}.${serial}.0.${mac}`,
      `${id}.${serial}e0.${mac}`,
      `${id}.٣.${mac}`,
      `${id}.9999999999.${mac}`,
      `${id}.${"9".repeat(400)}.${mac}`,
      text.replace("dvc_", "ver_"),
      text.replace("dvc_", "DVC_"),
      text.replace("dvc_", ""),
      `${id.slice(0, -1)}i.${serial}.${mac}`,
      `${id}.${serial}.${mac.slice(0, -1)}`,
      `${id}.${serial}.${mac}A`,
      `${id}.${serial}.${mac.slice(0, -1)}+`,
      "__proto__",
      "constructor",
      "null",
      text.repeat(20_000)
    ]
    for (const one of spelled) assert.isNull(reads(one), JSON.stringify(one.slice(0, 120)))
  })

  it("is invalid when its last character encodes the same bits differently", () => {
    // 43 characters hold 258 bits, so the last character has two spare bits.
    const last = alphabet.indexOf(text.at(-1)!)
    assert.strictEqual(last % 4, 0)
    for (const spare of [1, 2, 3]) assert.isNull(reads(text.slice(0, -1) + alphabet[last + spare]!))
  })

  it("is invalid with any character changed, or with parts of other tokens", () => {
    for (let i = 0; i < text.length; i++) {
      for (const other of ["0", "1", "a", "z", "A", "_", "."]) {
        if (other !== text[i]) assert.isNull(reads(text.slice(0, i) + other + text.slice(i + 1)), `${i}: ${other}`)
      }
    }
    const next = DeviceToken.write(first, owner, { ...token, serial: 4 })
    const otherDevice = DeviceToken.write(first, owner, { ...token, id: deviceIdAt(start, 8) })
    const parts = [text, next, otherDevice].map((one) => one.split(".") as [string, string, string])
    for (const [a, [id]] of parts.entries())
      for (const [b, [, serial]] of parts.entries())
        for (const [c, [, , mac]] of parts.entries()) {
          // The second differs from the first only in serial and proof, the third only in its id.
          const given = `${id}.${serial}.${mac}`
          const genuine = [text, next, otherDevice].includes(given)
          assert.strictEqual(reads(given) !== null, genuine, `${a}${b}${c}`)
        }
  })

  it("never equals the proof that another purpose makes of the same text", () => {
    for (const purpose of ["code", "kept-answer"] as const) {
      const mac = first.mac(purpose, `${owner.environment}\n${owner.canonical}\n${token.id}\n${token.serial}`)
      assert.isNull(reads(`${token.id}.${token.serial}.${Buffer.from(mac).toString("base64url")}`))
    }
  })

  it("is valid under every key on the keyring, and under no other", () => {
    const old = text
    const both = ringOf(second, first)
    const fresh = DeviceToken.write(second, owner, token)
    assert.notStrictEqual(fresh, old)
    assert.deepStrictEqual([reads(old, owner, both), reads(fresh, owner, both)], [token, token])
    assert.isNull(reads(old, owner, ringOf(second)))
    assert.isNull(reads(fresh, owner, ring))
    assert.deepStrictEqual(reads(old, owner, ringOf(third, second, first)), token)
  })

  it("decodes to its own values, and no forged text decodes", () => {
    const chars = "0123456789abcdefghjkmnpqrstvwxyz".split("")
    for (let n = 0; n < 500; n++) {
      const made = { id: Identifier.make("dvc", start + n), serial: n < 250 ? n : 999_999_999 - n }
      const written = DeviceToken.write(n % 2 === 0 ? first : second, owner, made)
      assert.deepStrictEqual(reads(written, owner, ringOf(first, second)), made)
      const i = 4 + (n % 26)
      const forged = written.slice(0, i) + chars[(chars.indexOf(written[i]!) + 1) % 32]! + written.slice(i + 1)
      assert.isNull(reads(forged, owner, ringOf(first, second)))
    }
    assert.isNull(reads(DeviceToken.write(first, owner, { ...token, serial: 1_000_000_000 })))
  })

  it.prop(
    "is invalid for arbitrary text",
    [Arbitrary.schema(Schema.String)],
    ([any]) => {
      assert.isNull(reads(any))
      assert.isNull(reads(`${text}${any}x`))
      assert.isNull(reads(`${token.id}.${token.serial}.${any}`))
    },
    { arbitrary: { runs: 500 } }
  )
})
