import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { CompactEncrypt, type JWTHeaderParameters, type JWTPayload, SignJWT } from "jose"
import * as SigningKey from "../../src/secret/SigningKey.ts"
import { issuer, makeProcess, makeStorage, secrets, start } from "../fixtures/World.ts"

const audience = "cs_live_1"
const now = start / 1000
const payload = { iss: issuer, aud: audience, sub: "ver_1", jti: "j1", iat: now, exp: now + 300 }
const typ = "countersign-id+jwt"

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
const zeros = (bytes: number) => Buffer.alloc(bytes).toString("base64url")

/** Everything a forger could have: our public key, our tokens, keys of their own, and all formats. */
const forge = async (
  our: SigningKey.SigningKey,
  retired: SigningKey.SigningKey,
  genuine: string,
  session: string
): Promise<Record<string, string>> => {
  const ec = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"])
  const jwk = await crypto.subtle.exportKey("jwk", ec.publicKey)
  const header = { alg: "ES256", typ, kid: our.kid }
  const [head, body, signature] = genuine.split(".") as [string, string, string]
  const bits = Buffer.from(signature, "base64url")

  const sign = (
    key: Parameters<SignJWT["sign"]>[0],
    more: Record<string, unknown> = {},
    claims: Record<string, unknown> = payload
  ) => new SignJWT(claims as JWTPayload).setProtectedHeader({ ...header, ...more } as JWTHeaderParameters).sign(key)
  const ours = (more: Record<string, unknown>, claims: Record<string, unknown> = payload) =>
    sign(our.privateKey, more, claims)
  const theirs = (more: Record<string, unknown>) => sign(ec.privateKey, more)
  const without = (name: keyof typeof payload) =>
    ours({}, Object.fromEntries(Object.entries(payload).filter(([claim]) => claim !== name)))
  const claiming = (claims: Record<string, unknown>) => ours({}, { ...payload, ...claims })
  const headed = (changed: unknown) => `${encode(changed)}.${body}.${signature}`

  const published = await crypto.subtle.importKey("jwk", our.jwk, { name: "ECDSA", namedCurve: "P-256" }, true, [
    "verify"
  ])
  const spki = Buffer.from(await crypto.subtle.exportKey("spki", published)).toString("base64")
  const pem = `-----BEGIN PUBLIC KEY-----\n${spki.match(/.{1,64}/g)!.join("\n")}\n-----END PUBLIC KEY-----\n`
  const point = Buffer.concat([
    Buffer.from([4]),
    Buffer.from(our.jwk.x, "base64url"),
    Buffer.from(our.jwk.y, "base64url")
  ])
  const hmac = async (bytes: Buffer, alg = "HS256", more: Record<string, unknown> = {}) => {
    const hash = `SHA-${alg.slice(2)}`
    const key = await crypto.subtle.importKey("raw", new Uint8Array(bytes), { name: "HMAC", hash }, false, ["sign"])
    const text = `${encode({ ...header, alg, ...more })}.${body}`
    return `${text}.${Buffer.from(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text))).toString("base64url")}`
  }
  const rsa = await crypto.subtle.generateKey(
    { name: "RSASSA-PKCS1-v1_5", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" },
    true,
    ["sign", "verify"]
  )
  const p384 = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-384" }, true, ["sign", "verify"])
  const ed = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"])
  const flip = (at: number) => {
    const changed = Buffer.from(bits)
    changed[at]! ^= 1
    return `${head}.${body}.${changed.toString("base64url")}`
  }
  const nones = ["none", "None", "NONE", "nOnE", "", null].flatMap((alg) =>
    ["", signature].map((end): [string, string] => [
      `alg ${JSON.stringify(alg)} with ${end === "" ? "no" : "a stolen"} signature`,
      `${encode({ ...header, alg })}.${body}.${end}`
    ])
  )
  const kids = [
    undefined,
    "",
    "../../../../dev/null",
    "' OR '1'='1",
    "__proto__",
    "constructor",
    "toString",
    our.kid.toUpperCase(),
    `${our.kid}\0`,
    ` ${our.kid}`,
    [our.kid],
    { kid: our.kid },
    0,
    null,
    true
  ]

  return {
    ...Object.fromEntries(nones),
    "HS256 keyed with the PEM": await hmac(Buffer.from(pem)),
    "HS256 keyed with the DER": await hmac(Buffer.from(spki, "base64")),
    "HS256 keyed with the point": await hmac(point),
    "HS256 keyed with x": await hmac(Buffer.from(our.jwk.x, "base64url")),
    "HS256 keyed with the JWK": await hmac(Buffer.from(JSON.stringify(our.jwk))),
    "HS256 keyed with the kid": await hmac(Buffer.from(our.kid)),
    "HS256 keyed with one zero": await hmac(Buffer.alloc(1)),
    "HS384 keyed with the PEM": await hmac(Buffer.from(pem), "HS384"),
    "HS512 keyed with the PEM": await hmac(Buffer.from(pem), "HS512"),
    "HS256 with a kid for a file": await hmac(Buffer.alloc(1), "HS256", { kid: "/dev/null" }),
    "another key under our kid": await theirs({}),
    "another key embedded as jwk": await theirs({ jwk }),
    "another key embedded as jwk, no kid": await theirs({ jwk, kid: undefined }),
    "another key at a jku": await theirs({ jku: "https://evil.example/jwks.json" }),
    "another key at our own jku": await theirs({ jku: `${issuer}/.well-known/jwks.json` }),
    "another key in x5c": await theirs({ x5c: [spki] }),
    "another key at an x5u": await theirs({ x5u: "https://evil.example/cert.pem" }),
    "RS256 under our kid": await sign(rsa.privateKey, { alg: "RS256" }),
    "ES384 under our kid": await sign(p384.privateKey, { alg: "ES384" }),
    "EdDSA under our kid": await sign((ed as typeof p384).privateKey, { alg: "EdDSA" }),
    "a key that left the ring": await sign(retired.privateKey, { kid: retired.kid }),
    "a key that left the ring, under our kid": await sign(retired.privateKey),
    ...Object.fromEntries(
      await Promise.all(
        kids.map(async (kid, i): Promise<[string, string]> => [`kid ${i}: ${JSON.stringify(kid)}`, await ours({ kid })])
      )
    ),
    "a signature of zeros": `${head}.${body}.${zeros(64)}`,
    "no signature": `${head}.${body}.`,
    "half a signature": `${head}.${body}.${bits.subarray(0, 32).toString("base64url")}`,
    "a longer signature": `${head}.${body}.${Buffer.concat([bits, Buffer.alloc(1)]).toString("base64url")}`,
    "the order of the curve as r": `${head}.${body}.${Buffer.from(`ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551${"00".repeat(31)}01`, "hex").toString("base64url")}`,
    "the signature's first bit changed": flip(0),
    "the signature's last bit changed": flip(63),
    "the signature of another token": `${head}.${body}.${session.split(".")[2]!}`,
    "another subject": `${head}.${encode({ ...payload, sub: "ver_2" })}.${signature}`,
    "a later end": `${head}.${encode({ ...payload, exp: now + 9999 })}.${signature}`,
    "an empty payload": `${head}..${signature}`,
    "an unknown crit": await ours({ crit: ["exp"], exp: now + 300 }).catch(() =>
      headed({ ...header, crit: ["exp"], exp: 1 })
    ),
    "b64 false": headed({ ...header, b64: false, crit: ["b64"] }),
    "no alg": headed({ typ, kid: our.kid }),
    "a header that is no object": headed([header]),
    "another audience": await claiming({ aud: "cs_live_2" }),
    "several other audiences": await claiming({ aud: ["cs_live_2", "cs_live_11", ""] }),
    "an audience in another case": await claiming({ aud: audience.toUpperCase() }),
    "no audience": await without("aud"),
    "another issuer": await claiming({ iss: "https://evil.example" }),
    "our issuer with a slash": await claiming({ iss: `${issuer}/` }),
    "no issuer": await without("iss"),
    "no subject": await without("sub"),
    "no jti": await without("jti"),
    "no iat": await without("iat"),
    "no end": await without("exp"),
    "ended a second ago": await claiming({ exp: now - 1 }),
    "ending now": await claiming({ exp: now }),
    "ended in 1970": await claiming({ exp: 0 }),
    "an end that is a text": await claiming({ exp: String(now + 300) }),
    "not valid before the next minute": await claiming({ nbf: now + 60 }),
    "typ JWT": await ours({ typ: "JWT" }),
    "no typ": await ours({ typ: undefined }),
    "the typ of a session token": await ours({ typ: "countersign-session+jwt" }),
    "a session token": session,
    "one dot": ".",
    "two dots": "..",
    "three words": "a.b.c",
    "two parts": `${head}.${body}`,
    "four parts": `${genuine}.${signature}`,
    "a space before": ` ${genuine}`,
    "the scheme before": `Bearer ${genuine}`,
    nothing: "",
    "a null character": "\0",
    "half an emoji": "\ud83d.\ud83d.\ud83d",
    "JSON serialisation": JSON.stringify({ protected: head, payload: body, signature }),
    "an encrypted token": await new CompactEncrypt(new Uint8Array(Buffer.from(JSON.stringify(payload))))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .encrypt(new Uint8Array(32)),
    "a megabyte": "a".repeat(1_048_576),
    "a megabyte of dots": ".".repeat(1_048_576),
    "a megabyte of payload": `${head}.${encode({ ...payload, pad: "a".repeat(1_048_576) })}.${signature}`
  }
}

describe("tokens that are not ours", () => {
  it.effect("are refused, all of them, in the same words", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const storage = yield* makeStorage
      const { keyring, tokens } = yield* makeProcess(storage, { idle: true, previousSecrets: [secrets.second] })
      const retired = yield* makeProcess(storage, {
        idle: true,
        secret: "c3".repeat(32),
        previousSecrets: [secrets.first]
      })
      const ourKey = yield* SigningKey.derive(keyring.current)
      const retiredKey = yield* SigningKey.derive(retired.keyring.current)
      const claims = { audience, subject: "ver_1" }
      const genuine = yield* tokens.sign("id", claims)
      const session = yield* tokens.sign("session", claims)
      const forged = yield* Effect.promise(() => forge(ourKey, retiredKey, genuine, session))
      assert.isAtLeast(Object.keys(forged).length, 60)

      const answers = yield* Effect.forEach(Object.entries(forged), ([name, token]) =>
        Effect.map(Effect.exit(tokens.verify("id", token, audience)), (exit) => [name, exit])
      )
      const refusal = yield* Effect.exit(Effect.flip(tokens.verify("session", genuine, audience)))
      assert.ok(refusal._tag === "Success" && refusal.value.kind === "session")
      const expected = yield* Effect.exit(tokens.verify("id", "", audience))
      for (const [name, exit] of answers) assert.deepStrictEqual([name, String(exit)], [name, String(expected)])

      assert.strictEqual((yield* tokens.verify("id", genuine, audience)).sub, "ver_1")
    })
  )
})
