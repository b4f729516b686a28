import { createHmac, randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { makeSecret, sign } from "../../src/account/webhook/signature.ts"
import { isGenuine } from "../fixtures/Receiver.ts"
import { start } from "../fixtures/World.ts"

const secret = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`
const other = makeSecret()
const bodies = ["", "{}", `{"name":"Zoë \u{1F600} पुष्टि"}`, randomBytes(9_000).toString("hex"), "\0\n\t"]

/** Both algorithms, written independently with another library. */
const standard = (key: string, text: string) =>
  `v1,${createHmac("sha256", Buffer.from(key.slice("whsec_".length), "base64"))
    .update(text)
    .digest("base64")}`
const legacy = (key: string, body: string) => createHmac("sha256", Buffer.from(key)).update(body).digest("hex")

const signed = (secrets: readonly [string, ...ReadonlyArray<string>], body: string, now = start) => ({
  at: now,
  body,
  headers: sign(secrets, "evt_1", now, body)
})

describe("webhook signatures", () => {
  it.each(bodies.map((body) => [body.length, body] as const))(
    "of %s characters match the standard algorithms",
    (_length, body) => {
      const seconds = String(start / 1000)
      assert.deepStrictEqual(sign([secret], "evt_1", start + 999, body), {
        "x-service-signature": legacy(secret, body),
        "webhook-id": "evt_1",
        "webhook-timestamp": seconds,
        "webhook-signature": standard(secret, `evt_1.${seconds}.${body}`)
      })
    }
  )

  it("verify with the Standard Webhooks library, and fail after any change", () => {
    const fine = signed([secret], bodies[1]!)
    assert.isTrue(isGenuine(secret, fine))
    assert.isTrue(isGenuine(secret, { ...fine, at: start + 299_000 }))
    assert.isFalse(isGenuine(other, fine))
    assert.isFalse(isGenuine(secret, { ...fine, body: "{} " }))
    assert.isFalse(isGenuine(secret, { ...fine, at: start + 301_000 }))
    for (const [name, value] of [
      ["webhook-id", "evt_2"],
      ["webhook-timestamp", String(start / 1000 + 1)]
    ] as const) {
      assert.isFalse(isGenuine(secret, { ...fine, headers: { ...fine.headers, [name]: value } }))
    }
  })

  it("with two secrets verify under each one; the other header uses the newer secret only", () => {
    const both = signed([other, secret], "{}")
    const { "webhook-signature": two = "", "x-service-signature": one } = both.headers
    assert.lengthOf(two.split(" "), 2)
    assert.isTrue(isGenuine(secret, both))
    assert.isTrue(isGenuine(other, both))
    assert.isFalse(isGenuine(makeSecret(), both))
    assert.strictEqual(one, legacy(other, "{}"))
  })

  it("use the whole secret text in one header, and its decoded bytes in the other", () => {
    const { "webhook-signature": bytes, "x-service-signature": text } = signed([secret], "{}").headers
    assert.strictEqual(text, createHmac("sha256", secret).update("{}").digest("hex"))
    assert.notStrictEqual(text, createHmac("sha256", secret.slice(6)).update("{}").digest("hex"))
    assert.strictEqual(bytes, standard(secret, `evt_1.${start / 1000}.{}`))
  })
})

describe("a fresh webhook secret", () => {
  it("has 256 bits in the standard format, and never repeats", () => {
    const made = Array.from({ length: 1_000 }, () => makeSecret())
    for (const one of made) {
      assert.match(one, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.lengthOf(Buffer.from(one.slice("whsec_".length), "base64"), 32)
    }
    assert.strictEqual(new Set(made).size, made.length)
  })
})
