import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import {
  type IdTokenClaims,
  IdTokenVerificationError,
  verifyIdToken,
  type VerifyIdTokenOptions
} from "../src/server.ts"
import { cut, failure, json, type Service, startService } from "./fixtures/service.ts"
import { attemptTimeout, timers } from "./fixtures/timers.ts"
import { failureOf } from "./fixtures/world.ts"

vi.mock("../src/request/after.ts", () => import("./fixtures/timers.ts"))

const now = Date.parse("2026-01-31T09:30:00Z")
const seconds = now / 1000

beforeEach(() => {
  timers.reset()
  vi.useFakeTimers({ toFake: ["Date"], now })
})
afterEach(() => {
  vi.useRealTimers()
})

const part = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")

const ec = () => generateKeyPairSync("ec", { namedCurve: "P-256" })
const [ours, theirs, next] = [ec(), ec(), ec()]
const jwk = (key: KeyObject, kid: string) => ({ ...key.export({ format: "jwk" }), kid, alg: "ES256", use: "sig" })
const published = jwk(ours.publicKey, "key-1")

const head = { alg: "ES256", typ: "countersign-id+jwt", kid: "key-1" }

/** A token as the service signs it, with the test's changes. */
const make = (
  baseUrl: string,
  { claims = {}, header = {}, key = ours.privateKey }: { claims?: object; header?: object; key?: KeyObject } = {}
) => {
  const signed = `${part({ ...head, ...header })}.${part({
    iss: baseUrl,
    aud: "cs_test_acme",
    sub: "ver_1",
    jti: "0190b5f5-6f3a-7c2e-8d2a-000000000001",
    iat: seconds,
    exp: seconds + 300,
    auth_time: seconds,
    identity: "98765 43210",
    identityType: "MOBILE",
    phone_number: "+919876543210",
    phone_number_verified: true,
    ...claims
  })}`
  return `${signed}.${sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`
}

const world = async (keys: ReadonlyArray<unknown> = [published]) => {
  const service = await startService()
  service.will(json(200, { keys }))
  return { service, check: checking(service) }
}

const checking =
  ({ baseUrl }: Service) =>
  (token: string, options: Partial<VerifyIdTokenOptions> = {}) =>
    verifyIdToken(token, { baseUrl, clientId: "cs_test_acme", timeoutMs: attemptTimeout, retries: 0, ...options })

const reasonOf = (call: Promise<IdTokenClaims>) =>
  call.then(
    () => "accepted",
    (error: unknown) => (error instanceof IdTokenVerificationError ? error.errorCode : error)
  )

describe("an idToken", () => {
  it("contains the verified identity", async () => {
    const { check, service } = await world()
    const claims = await check(make(service.baseUrl))
    expect(claims).toMatchObject({ sub: "ver_1", auth_time: seconds, identity: "98765 43210" })
    expect(claims.identityType === "MOBILE" ? claims.phone_number : claims.email).toBe("+919876543210")
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /.well-known/jwks.json"])
  })

  it("may contain an email address", async () => {
    const { check, service } = await world()
    const email = { identityType: "EMAIL", email: "a@example.com", email_verified: true }
    expect(await check(make(service.baseUrl, { claims: email }))).toMatchObject(email)
  })

  it("is accepted for one of several client ids, and for a PUBLIC_URL other than baseUrl", async () => {
    const { check, service } = await world()
    expect(await reasonOf(check(make(service.baseUrl), { clientId: ["cs_test_old", "cs_test_acme"] }))).toBe("accepted")
    const token = make("https://verify.example.com")
    expect(await reasonOf(check(token))).toBe("WRONG_ISSUER")
    expect(await reasonOf(check(token, { issuer: "https://verify.example.com/" }))).toBe("accepted")
  })

  it.each([
    [299, {}, "accepted"],
    [304.9, {}, "accepted"],
    [305, {}, "EXPIRED"],
    [300, { clockToleranceSeconds: 0 }, "EXPIRED"],
    [-5, {}, "accepted"],
    [-5.1, {}, "NOT_YET_VALID"],
    [-1, { clockToleranceSeconds: 0 }, "NOT_YET_VALID"]
  ])("%d seconds after it was issued, with %j: %s", async (after, options, expected) => {
    const { check, service } = await world()
    const token = make(service.baseUrl)
    vi.setSystemTime(now + after * 1000)
    expect(await reasonOf(check(token, options))).toBe(expected)
  })
})

describe("forged tokens", () => {
  const pem = ours.publicKey.export({ type: "spki", format: "pem" }).toString()
  const other = "https://other.example.com"

  /** Signed with HMAC, where the published key is the secret. */
  const hmac = (token: string, secret: string | Buffer, header: object) => {
    const signed = `${part({ ...head, ...header })}.${token.split(".")[1]}`
    return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`
  }
  const replaceHead = (token: string, header: unknown) => token.replace(/^[^.]*/, part(header))
  const replaceSignature = (token: string, signature: string) => token.replace(/[^.]*$/, signature)

  const forged: ReadonlyArray<readonly [string, string, (good: string, baseUrl: string) => string]> = [
    ["alg none", "WRONG_KIND", (good) => replaceSignature(replaceHead(good, { ...head, alg: "none" }), "")],
    ["alg None with its signature", "WRONG_KIND", (good) => replaceHead(good, { ...head, alg: "None" })],
    ["no alg", "WRONG_KIND", (good) => replaceHead(good, { typ: head.typ, kid: head.kid })],
    ["HS256 with the public key as PEM", "WRONG_KIND", (good) => hmac(good, pem, { alg: "HS256" })],
    [
      "HS256 with the public key as JWK",
      "WRONG_KIND",
      (good) => hmac(good, JSON.stringify(published), { alg: "HS256" })
    ],
    ["HMAC that says ES256", "WRONG_SIGNATURE", (good) => hmac(good, pem, {})],
    ["ES384", "WRONG_KIND", (_, base) => make(base, { header: { alg: "ES384" } })],
    ["crit", "WRONG_KIND", (_, base) => make(base, { header: { crit: ["exp"] } })],
    [
      "an embedded jwk",
      "UNKNOWN_KEY",
      (_, base) => make(base, { key: theirs.privateKey, header: { kid: "mine", jwk: jwk(theirs.publicKey, "mine") } })
    ],
    [
      "an embedded jwk under our kid",
      "WRONG_SIGNATURE",
      (_, base) => make(base, { key: theirs.privateKey, header: { jwk: jwk(theirs.publicKey, "key-1") } })
    ],
    ["a jku", "UNKNOWN_KEY", (_, base) => make(base, { key: theirs.privateKey, header: { kid: "mine", jku: other } })],
    ["another's signature", "WRONG_SIGNATURE", (_, base) => make(base, { key: theirs.privateKey })],
    ["an unknown kid", "UNKNOWN_KEY", (_, base) => make(base, { header: { kid: "key-2" } })],
    ["no kid", "UNKNOWN_KEY", (_, base) => make(base, { header: { kid: undefined } })],
    ["a kid that is a list", "UNKNOWN_KEY", (_, base) => make(base, { header: { kid: ["key-1"] } })],
    ["a kid that every object has", "UNKNOWN_KEY", (_, base) => make(base, { header: { kid: "__proto__" } })],
    ["a session token", "WRONG_KIND", (_, base) => make(base, { header: { typ: "countersign-session+jwt" } })],
    ["typ JWT", "WRONG_KIND", (_, base) => make(base, { header: { typ: "JWT" } })],
    ["no typ", "WRONG_KIND", (_, base) => make(base, { header: { typ: undefined } })],
    ["another issuer", "WRONG_ISSUER", () => make(other)],
    ["another audience", "WRONG_AUDIENCE", (_, base) => make(base, { claims: { aud: "cs_live_acme" } })],
    ["the session's audience", "WRONG_AUDIENCE", (_, base) => make(base, { claims: { aud: "countersign:sdk" } })],
    ["several audiences", "MALFORMED", (_, base) => make(base, { claims: { aud: ["cs_test_acme", "x"] } })],
    ["expired", "EXPIRED", (_, base) => make(base, { claims: { iat: seconds - 400, exp: seconds - 100 } })],
    ["no exp", "MALFORMED", (_, base) => make(base, { claims: { exp: undefined } })],
    ["an exp that is text", "MALFORMED", (_, base) => make(base, { claims: { exp: "9999999999" } })],
    ["no iat", "MALFORMED", (_, base) => make(base, { claims: { iat: null } })],
    ["no sub", "MALFORMED", (_, base) => make(base, { claims: { sub: undefined } })],
    ["no jti", "MALFORMED", (_, base) => make(base, { claims: { jti: 7 } })],
    [
      "a number that is not verified",
      "MALFORMED",
      (_, base) => make(base, { claims: { phone_number_verified: false } })
    ],
    ["an unknown identity type", "MALFORMED", (_, base) => make(base, { claims: { identityType: "PASSPORT" } })],
    ["no signature", "WRONG_SIGNATURE", (good) => replaceSignature(good, "")],
    ["a signature of zeros", "WRONG_SIGNATURE", (good) => replaceSignature(good, part("\0".repeat(64)))],
    ["a longer signature", "WRONG_SIGNATURE", (good) => `${good}AAAA`],
    ["another payload", "WRONG_SIGNATURE", (good) => good.replace(/\.[^.]*\./, `.${part({ sub: "ver_2" })}.`)],
    ["a payload with spaces", "WRONG_SIGNATURE", (good) => good.replace(".", ". ")],
    ["four parts", "MALFORMED", (good) => `${good}.x`],
    ["five parts, as an encrypted one", "MALFORMED", (good) => `${good}.x.y`],
    ["one part", "MALFORMED", () => "token"],
    ["nothing", "MALFORMED", () => ""],
    ["a header that is not JSON", "MALFORMED", (good) => good.replace(/^[^.]*/, part("alg"))],
    ["a header that is null", "MALFORMED", (good) => replaceHead(good, null)],
    ["a header of wrong characters", "MALFORMED", (good) => `*${good}`],
    ["1 MB", "MALFORMED", (good) => good + "A".repeat(1_000_000)]
  ]

  it.each(forged)("%s: %s", async (_, expected, forge) => {
    const { check, service } = await world()
    const good = make(service.baseUrl)
    expect(await reasonOf(check(good))).toBe("accepted")
    service.will(json(200, { keys: [published] }))
    vi.setSystemTime(now + 61_000)
    expect(await reasonOf(check(forge(good, service.baseUrl)))).toBe(expected)
  })
})

describe("the published keys", () => {
  it("are fetched once for concurrent callers, and cached", async () => {
    const { check, service } = await world()
    const token = make(service.baseUrl)
    await Promise.all(Array.from({ length: 20 }, () => check(token)))
    await check(token)
    expect(service.requests).toHaveLength(1)
  })

  it("are fetched again for an unknown kid, at most once a minute", async () => {
    const { check, service } = await world()
    await check(make(service.baseUrl))
    const unknown = make(service.baseUrl, { header: { kid: "key-2" }, key: next.privateKey })
    for (let i = 0; i < 50; i++) expect(await reasonOf(check(unknown))).toBe("UNKNOWN_KEY")
    expect(service.requests).toHaveLength(1)

    vi.setSystemTime(now + 60_000)
    service.will(json(200, { keys: [published, jwk(next.publicKey, "key-2")] }))
    expect(await Promise.all(Array.from({ length: 20 }, () => reasonOf(check(unknown))))).toEqual(
      Array.from({ length: 20 }, () => "accepted")
    )
    expect(service.requests).toHaveLength(2)
    for (let i = 0; i < 50; i++)
      expect(await reasonOf(check(make(service.baseUrl, { header: { kid: `key-${i + 3}` } })))).toBe("UNKNOWN_KEY")
    expect(service.requests).toHaveLength(2)
  })

  it("that were retired are refused after ten minutes", async () => {
    const { check, service } = await world()
    const later = { iat: seconds + 600, exp: seconds + 900 }
    expect(await reasonOf(check(make(service.baseUrl)))).toBe("accepted")
    vi.setSystemTime(now + 600_000)
    service.will(json(200, { keys: [jwk(next.publicKey, "key-2")] }))
    expect(await reasonOf(check(make(service.baseUrl, { claims: later })))).toBe("UNKNOWN_KEY")
  })

  it("are used for an hour while the service is unreachable, and requested once a minute", async () => {
    const { check, service } = await world()
    const at = async (minutes: number) => {
      vi.setSystemTime(now + minutes * 60_000)
      const iat = seconds + minutes * 60
      return reasonOf(check(make(service.baseUrl, { claims: { iat, exp: iat + 300 } })))
    }
    expect(await at(0)).toBe("accepted")
    service.will(cut, cut, cut, cut, cut)
    expect(await at(11)).toBe("accepted")
    expect(await at(11.5)).toBe("accepted")
    expect(service.requests).toHaveLength(2)
    expect(await at(59)).toBe("accepted")
    expect(service.requests).toHaveLength(3)
    for (const minutes of [60, 60.1]) expect(await at(minutes)).toMatchObject({ errorCode: "NETWORK_ERROR" })
  })

  it("that cannot be fetched cause another error than a forged token, and are requested again", async () => {
    const service = await startService()
    const check = checking(service)
    const token = make(service.baseUrl)
    service.will(failure(503, "INTERNAL_ERROR"), json(200, {}), json(200, { keys: [published] }))
    expect(await failureOf(check(token))).toMatchObject({ errorCode: "INTERNAL_ERROR", status: 503 })
    expect(await failureOf(check(token))).toMatchObject({ errorCode: "NETWORK_ERROR", status: 200 })
    expect(await reasonOf(check(token))).toBe("accepted")
  })

  it("for other purposes are ignored", async () => {
    const { kid: _, ...nameless } = published
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey
    const strange = [
      null,
      "key-1",
      nameless,
      jwk(rsa, "key-1"),
      { ...published, use: "enc" },
      { ...published, alg: "ES384" },
      { ...published, crv: "P-384" },
      { ...published, x: "AAAA" },
      { kty: "oct", kid: "key-1", k: "AAAA" }
    ]
    for (const keys of [strange, [...strange, published]]) {
      const { check, service } = await world(keys)
      expect(await reasonOf(check(make(service.baseUrl)))).toBe(keys === strange ? "UNKNOWN_KEY" : "accepted")
    }
  })

  it("of two services, or of two URLs, are cached separately", async () => {
    const one = await world()
    const two = await world([jwk(next.publicKey, "key-1")])
    const token = make(one.service.baseUrl)
    expect(await reasonOf(one.check(token))).toBe("accepted")
    expect(await reasonOf(two.check(token, { issuer: one.service.baseUrl }))).toBe("WRONG_SIGNATURE")
    const empty = () => Promise.resolve(Response.json({ keys: [] }))
    expect(await reasonOf(one.check(token, { fetch: empty }))).toBe("UNKNOWN_KEY")
  })
})
