import { assert, describe, it } from "vitest"
import { encode } from "../src/push/aes128gcm.ts"
import { fromBase64Url, toBase64Url } from "../src/push/base64Url.ts"
import { encrypt, newEphemeral } from "../src/push/encrypt.ts"

const bytes = (text: string) => new Uint8Array(new TextEncoder().encode(text))

describe("the content encoding aes128gcm", () => {
  it("encodes the first example of RFC 8188 byte for byte", async () => {
    const encoded = await encode(
      {
        secret: fromBase64Url("yqdlZ-tYemfogSmv7Ws5PQ"),
        salt: fromBase64Url("I1BsxtFttlv3u_Oo94xnmw"),
        keyId: bytes(""),
        recordSize: 4096
      },
      [{ data: bytes("I am the walrus"), padding: 0 }]
    )
    assert.strictEqual(toBase64Url(encoded), "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg")
  })

  it("encodes the second example of RFC 8188, with two records and padding, byte for byte", async () => {
    const encoded = await encode(
      {
        secret: fromBase64Url("BO3ZVPxUlnLORbVGMpbT1Q"),
        salt: fromBase64Url("uNCkWiNYzKTnBN9ji3-qWA"),
        keyId: bytes("a1"),
        recordSize: 25
      },
      [
        { data: bytes("I am th"), padding: 1 },
        { data: bytes("e walrus"), padding: 0 }
      ]
    )
    assert.strictEqual(
      toBase64Url(encoded),
      "uNCkWiNYzKTnBN9ji3-qWAAAABkCYTHOG8chz_gnvgOqdGYovxyjuqRyJFjEDyoF1Fvkj6hQPdPHI51OEUKEpgz3SsLWIqS_uA"
    )
  })
})

describe("the encryption of a push message", () => {
  const browser = {
    p256dh: fromBase64Url("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
    auth: fromBase64Url("BTBZMqHH6r4Tts7J_aSIgg")
  }

  it("encrypts the example of RFC 8291 byte for byte", async () => {
    const point = fromBase64Url(
      "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    )
    const jwk = {
      kty: "EC",
      crv: "P-256",
      x: toBase64Url(point.subarray(1, 33)),
      y: toBase64Url(point.subarray(33))
    }
    const curve = { name: "ECDH", namedCurve: "P-256" }
    const d = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    const keys = {
      publicKey: await crypto.subtle.importKey("jwk", jwk, curve, true, []),
      privateKey: await crypto.subtle.importKey("jwk", { ...jwk, d }, curve, false, ["deriveBits"])
    }
    const salt = fromBase64Url("DGv6ra1nlYgDCS1FRnbzlw")
    const encrypted = await encrypt("When I grow up, I want to be a watermelon", browser, { keys, salt }, 0)
    assert.strictEqual(
      toBase64Url(encrypted),
      "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
  })

  it("uses a new key and salt for each message, and hides the length of a short one", async () => {
    const messages = await Promise.all(
      ["1", "12", "{}"].map(async (text) => encrypt(text, browser, await newEphemeral()))
    )
    assert.deepStrictEqual(new Set(messages.map(({ length }) => length)), new Set([21 + 65 + 128 + 1 + 16]))
    assert.strictEqual(new Set(messages.map((message) => toBase64Url(message.subarray(0, 16)))).size, 3)
    assert.strictEqual(new Set(messages.map((message) => toBase64Url(message.subarray(21, 86)))).size, 3)
  })

  it("refuses a browser key that is no point of the curve", async () => {
    const p256dh = new Uint8Array(65).fill(4)
    const outcome = await encrypt("1", { ...browser, p256dh }, await newEphemeral()).then(
      () => "encrypted",
      () => "refused"
    )
    assert.strictEqual(outcome, "refused")
  })
})
