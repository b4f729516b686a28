import { type ChannelError, InvalidOptions, type NumberVerifier } from "@countersign/core/channel"
import { FirebaseSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { createHmac, generateKeyPairSync, sign } from "node:crypto"
import { Firebase } from "../src/index.ts"

const phone = "919876543210"
const start = Date.UTC(2030, 0, 7, 10)
const merchant = `mer_${"0".repeat(26)}`
const project = "https://fpnv.googleapis.com/projects/123456789012"
const projectById = "https://fpnv.googleapis.com/projects/simulated-project"
const order = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")

const begin = Effect.fnUntraced(function* (options: Partial<Firebase.Options> = {}) {
  yield* TestClock.setTime(start)
  const google = yield* FirebaseSimulator.make()
  const { keysUrl, projectId, projectNumber } = google
  const make = Firebase.make({ projectNumber, projectId, keysUrl, ...options })
  const verifier = yield* make
  const ask = (token: string, by: NumberVerifier = verifier as NumberVerifier, merchantId = merchant) =>
    by.verify({ token: Redacted.make(token) }, { sessionId: "ver_1", merchantId, phone, kept: null })
  const now = () => Effect.clockWith((clock) => clock.currentTimeMillis)
  const issue = (changes: FirebaseSimulator.TokenChanges = {}, to = phone) =>
    Effect.map(now(), (at) => google.tokenFor(to, { issuedAt: Math.floor(at / 1000), ...changes }))
  const reason = (token: string) => Effect.map(Effect.flip(ask(token)), ({ reason }: ChannelError) => reason)
  const short = (token: string) => Effect.map(reason(token), (told) => `${told._tag} ${told.providerCode}`)
  const requests = Effect.map(google.seen, (seen) => seen.length)
  return { google, make, verifier, ask, issue, reason, short, requests }
})

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
const seconds = start / 1000

/** The claims of wrong tokens that Google's key has signed. */
const wrongClaims: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>]> = [
  ...[
    undefined,
    null,
    "",
    7,
    project.replace("123456789012", "123456789013"),
    `${project}/`,
    `${project} `,
    project.toUpperCase(),
    projectById,
    "https://fpnv.googleapis.com/projects/",
    "https://securetoken.google.com/simulated-project",
    "http://fpnv.googleapis.com/projects/123456789012",
    [project]
  ].map((iss) => [`iss ${JSON.stringify(iss)}`, { iss }] as const),
  ...[
    undefined,
    null,
    [],
    project,
    projectById,
    `${project} ${projectById}`,
    [project],
    [projectById],
    [project, project],
    [project, "https://fpnv.googleapis.com/projects/other-project"],
    ["https://fpnv.googleapis.com/projects/999999999999", projectById],
    ["123456789012", "simulated-project"],
    [`${project}/`, projectById],
    [[project, projectById]],
    [{ 0: project }, projectById],
    { 0: project, 1: projectById }
  ].map((aud) => [`aud ${JSON.stringify(aud)}`, { aud }] as const),
  ...[
    undefined,
    null,
    0,
    -1,
    "4000000000",
    seconds,
    seconds - 1,
    seconds - 29,
    seconds - 3600,
    Number.NaN,
    [seconds + 60]
  ].map((exp) => [`exp ${JSON.stringify(exp)}`, { exp }] as const),
  ...[undefined, null, "0", seconds + 31, seconds + 3600, seconds - 3631, 0, -1, [seconds]].map(
    (iat) => [`iat ${JSON.stringify(iat)}`, { iat, exp: seconds + 3600 }] as const
  ),
  ...[seconds + 31, "0", [0]].map((nbf) => [`nbf ${JSON.stringify(nbf)}`, { nbf }] as const),
  ...[
    undefined,
    null,
    "",
    "+",
    phone,
    Number(phone),
    `++${phone}`,
    `+0${phone}`,
    `+${phone} `,
    `+${phone}\n`,
    "+123456",
    "+1234567890123456",
    "+91 98765 43210",
    "+९१९८७६५४३२१०",
    [`+${phone}`],
    { phone: `+${phone}` }
  ].map((sub) => [`sub ${JSON.stringify(sub)}`, { sub }] as const)
]

const wrongHeaders: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>]> = [
  ...[
    undefined,
    null,
    "none",
    "None",
    "NONE",
    "nOnE",
    "HS256",
    "HS512",
    "RS256",
    "PS256",
    "ES384",
    "ES512",
    "ES256K",
    "EdDSA",
    "es256",
    "",
    7,
    ["ES256"]
  ].map((alg) => [`alg ${JSON.stringify(alg)}`, { alg }] as const),
  ...[undefined, null, "", "JWS", "at+jwt", "countersign-id+jwt", 7, ["JWT"]].map(
    (typ) => [`typ ${JSON.stringify(typ)}`, { typ }] as const
  ),
  ...[undefined, null, "", 7, "__proto__", "constructor", "toString", "unknown", "../jwks", "x".repeat(1000)].map(
    (kid) => [`kid ${String(kid).slice(0, 20)}`, { kid }] as const
  ),
  ["an unknown critical extension", { crit: ["countersign"], countersign: true }],
  ["an unencoded payload", { crit: ["b64"], b64: false }],
  ["an empty list of critical extensions", { crit: [] }]
]

describe("a token of Firebase", () => {
  it.effect("proves its subject, and the proof contains nothing of the token", () =>
    Effect.gen(function* () {
      const { ask, issue } = yield* begin()
      const proof = yield* ask(yield* issue())
      assert.match(proof.once!, /^[0-9a-f]{64}$/)
      assert.deepStrictEqual(Object.keys(proof).toSorted(), ["isVerified", "once", "phone"])
      assert.deepStrictEqual([proof.phone, proof.isVerified], [phone, true])
    })
  )

  it.effect("may have further audiences and claims, and clocks may differ by half a minute", () =>
    Effect.gen(function* () {
      const { ask, issue } = yield* begin()
      for (const claims of [
        { aud: [projectById, "https://example.com", project] },
        { nonce: "abc", name: "Asha", nbf: seconds },
        { iat: seconds + 30 },
        { iat: seconds - 3600 },
        { exp: seconds + 1 },
        { exp: 4_000_000_000 }
      ]) {
        assert.strictEqual((yield* ask(yield* issue({ claims }))).phone, phone, JSON.stringify(claims))
      }
    })
  )

  it.effect("is refused with any wrong claim, although the signature is Google's", () =>
    Effect.gen(function* () {
      const { issue, reason } = yield* begin()
      assert.isAbove(wrongClaims.length, 60)
      for (const [what, claims] of wrongClaims) {
        const told = yield* reason(yield* issue({ claims }))
        assert.strictEqual(told._tag, "Refused", what)
        assert.notProperty(told, "because", what)
      }
    })
  )

  it.effect("is refused with any wrong header, although the signature is Google's", () =>
    Effect.gen(function* () {
      const { issue, reason, requests } = yield* begin()
      for (const [what, header] of wrongHeaders) {
        assert.strictEqual((yield* reason(yield* issue({ header })))._tag, "Refused", what)
      }
      assert.strictEqual(yield* requests, 1, "Google is asked for its keys once")
    })
  )

  it.effect("is refused when its form is broken, also in every single place of a valid one", () =>
    Effect.gen(function* () {
      const { issue, reason } = yield* begin()
      const token = yield* issue()
      const [header = "", payload = "", signature = ""] = token.split(".")
      const broken = [
        "a",
        "..",
        "a.b.c",
        `${header}.${payload}`,
        `${header}.${payload}.`,
        `.${payload}.${signature}`,
        `${header}..${signature}`,
        `${token}.${signature}`,
        `${token}=`,
        ` ${token}`,
        `Bearer ${token}`,
        `${header}.${payload}.${signature.slice(0, -4)}`,
        `${header}.${payload}.${signature}AAAA`,
        `${header}.${payload}.${Buffer.alloc(64).toString("base64url")}`,
        `${header}.${payload}.${Buffer.alloc(64, 255).toString("base64url")}`
      ]
      // The last character of a signature has four bits that mean nothing.
      for (let at = 0; at < token.length - 1; at += 7) {
        const changed = token[at] === "A" ? "B" : "A"
        if (token[at] !== ".") broken.push(`${token.slice(0, at)}${changed}${token.slice(at + 1)}`)
      }
      assert.isAbove(broken.length, 60)
      for (const text of broken) assert.strictEqual((yield* reason(text))._tag, "Refused", text)
    })
  )

  it.effect(
    "is refused with another key, also one that the token brings along or that signs by another algorithm",
    () =>
      Effect.gen(function* () {
        const { google, issue, short } = yield* begin()
        const token = yield* issue()
        const [header = "", payload = ""] = token.split(".")
        const { kid } = JSON.parse(Buffer.from(header, "base64url").toString()) as { kid: string }
        const mine = generateKeyPairSync("ec", { namedCurve: "P-256" })
        const signed = (own: object) => {
          const text = `${part({ alg: "ES256", typ: "JWT", kid, ...own })}.${payload}`
          const signature = sign("sha256", Buffer.from(text), { key: mine.privateKey, dsaEncoding: "ieee-p1363" })
          return `${text}.${signature.toString("base64url")}`
        }
        const jwk = mine.publicKey.export({ format: "jwk" })
        const published = (yield* Effect.promise(() => fetch(google.keysUrl).then((got) => got.json()))) as {
          keys: ReadonlyArray<object>
        }
        const hmacOf = (secret: string) => {
          const text = `${part({ alg: "HS256", typ: "JWT", kid })}.${payload}`
          return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`
        }
        const wide = generateKeyPairSync("ec", { namedCurve: "P-384" })
        const byP384 = `${part({ alg: "ES384", typ: "JWT", kid })}.${payload}`
        const wrong = [
          signed({}),
          signed({ jwk }),
          signed({ jku: "http://127.0.0.1:1/keys" }),
          signed({ x5u: "http://127.0.0.1:1/keys" }),
          signed({ x5c: ["MIIB"] }),
          google.tokenFor(phone, { issuedAt: seconds, strangeKey: true }),
          google.tokenFor(phone, { issuedAt: seconds, strangeKey: true, header: { kid } }),
          hmacOf(JSON.stringify(published.keys[0])),
          hmacOf(""),
          `${part({ alg: "none", typ: "JWT", kid })}.${payload}.`,
          `${byP384}.${sign("sha384", Buffer.from(byP384), { key: wide.privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`
        ]
        for (const text of wrong) assert.match(yield* short(text), /^Refused /)
      })
  )

  it.effect("with its signature written another way is the same proof", () =>
    Effect.gen(function* () {
      const { ask, issue } = yield* begin()
      const token = yield* issue()
      const at = token.lastIndexOf(".")
      const bytes = Buffer.from(token.slice(at + 1), "base64url")
      const s = BigInt(`0x${bytes.subarray(32).toString("hex")}`)
      // For every signature (r, s) of ES256, (r, n - s) is valid too.
      const other = Buffer.concat([
        bytes.subarray(0, 32),
        Buffer.from((order - s).toString(16).padStart(64, "0"), "hex")
      ])
      const twin = `${token.slice(0, at)}.${other.toString("base64url")}`
      assert.notStrictEqual(twin, token)
      assert.strictEqual((yield* ask(twin)).once, (yield* ask(token)).once)
    })
  )

  it.effect("of a listed merchant's app proves nothing for another merchant", () =>
    Effect.gen(function* () {
      const { ask, issue } = yield* begin({ merchants: [merchant] })
      assert.strictEqual((yield* ask(yield* issue())).phone, phone)
      const told = yield* Effect.flip(ask(yield* issue(), undefined, `mer_${"1".repeat(26)}`))
      assert.deepInclude(told.reason, { _tag: "Refused", providerCode: "other_merchant" })
    })
  )
})

describe("Google's keys", () => {
  it.effect("are fetched once for many concurrent tokens, and then cached for an hour", () =>
    Effect.gen(function* () {
      const { ask, issue, requests } = yield* begin()
      const token = yield* issue()
      yield* Effect.forEach(Array.from({ length: 100 }), () => ask(token), { concurrency: "unbounded" })
      yield* TestClock.adjust("59 minutes")
      yield* ask(yield* issue())
      assert.strictEqual(yield* requests, 1)
      yield* TestClock.adjust("2 minutes")
      yield* ask(yield* issue())
      assert.strictEqual(yield* requests, 2)
    })
  )

  it.effect("are fetched again for an unknown key id, at most every five minutes, also for invented ids", () =>
    Effect.gen(function* () {
      const { ask, google, issue, requests, short } = yield* begin()
      yield* ask(yield* issue())
      google.rotate()
      const rotated = yield* issue()
      assert.strictEqual(yield* short(rotated), "Refused unknown_key")
      for (let n = 0; n < 50; n++) yield* short(yield* issue({ header: { kid: `invented ${n}` } }))
      assert.strictEqual(yield* requests, 1)
      yield* TestClock.adjust("5 minutes")
      const asked = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.exit(ask(rotated)), {
        concurrency: "unbounded"
      })
      assert.isTrue(asked.every(Exit.isSuccess))
      for (let n = 0; n < 50; n++) yield* short(yield* issue({ header: { kid: `again ${n}` } }))
      assert.strictEqual(yield* requests, 2)
    })
  )

  it.effect("survive an outage of their address for a day", () =>
    Effect.gen(function* () {
      const { ask, google, issue, requests, short } = yield* begin()
      yield* ask(yield* issue())
      for (const outage of ["unavailable", "garbled", "slam", "unknownAccount"] as const) {
        yield* google.play(outage)
        yield* TestClock.adjust("61 minutes")
        for (let n = 0; n < 10; n++) assert.strictEqual((yield* ask(yield* issue())).phone, phone, outage)
      }
      assert.strictEqual(yield* requests, 5, "one attempt in each hour")
      yield* TestClock.adjust("1 day")
      yield* google.play("unavailable")
      assert.match(yield* short(yield* issue()), /^Unavailable /)
      yield* google.play("accepted")
      assert.strictEqual((yield* ask(yield* issue())).phone, phone)
    })
  )

  it.effect("that Google withdraws stop working within the hour", () =>
    Effect.gen(function* () {
      const { ask, google, issue, short } = yield* begin()
      const old = yield* issue({ claims: { exp: seconds + 90_000, iat: seconds + 3600 }, issuedAt: seconds + 3600 })
      yield* ask(yield* issue())
      google.rotate({ withdraw: true })
      yield* TestClock.adjust("61 minutes")
      assert.strictEqual(yield* short(old), "Refused unknown_key")
      assert.strictEqual((yield* ask(yield* issue())).phone, phone)
    })
  )

  it.effect("delay a token by two seconds at most when their address hangs and the key is cached", () =>
    Effect.gen(function* () {
      const { ask, google, issue, requests } = yield* begin()
      yield* ask(yield* issue())
      yield* google.play("hanging")
      yield* TestClock.adjust("61 minutes")
      const fiber = yield* Effect.forkChild(ask(yield* issue()), { startImmediately: true })
      while ((yield* requests) < 2) yield* TestClock.withLive(Effect.sleep(2))
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).phone, phone)
    })
  )

  it.effect("are checked by `countersign check`", () =>
    Effect.gen(function* () {
      const { google, verifier } = yield* begin()
      assert.include((yield* verifier.check!).detail, "public keys")
      for (const [playing, problem] of [
        ["refused", "no key"],
        ["unavailable", "keys_http_503"],
        ["garbled", "keys_unreadable"]
      ] as const) {
        yield* google.play(playing)
        assert.include((yield* Effect.flip(verifier.check!)).problem, problem)
      }
    })
  )
})

describe("options", () => {
  it.effect("are validated at the start", () =>
    Effect.gen(function* () {
      const right = { projectNumber: "123456789012", projectId: "acme-login" }
      yield* Firebase.make(right)
      for (const [option, value] of [
        ["projectNumber", "acme-login"],
        ["projectNumber", "0123456"],
        ["projectNumber", ""],
        ["projectId", "Acme"],
        ["projectId", "123456789012"],
        ["projectId", "acme/../login"],
        ["merchants", []],
        ["merchants", ["acme"]],
        ["keysUrl", "http://fpnv.googleapis.com/v1beta/jwks"],
        ["keysUrl", "https://user:secret@example.com/jwks"],
        ["keysUrl", "file:///etc/passwd"],
        ["keysUrl", "jwks"]
      ] as const) {
        const error = yield* Effect.flip(Firebase.make({ ...right, [option]: value }))
        assert.instanceOf(error, InvalidOptions)
        assert.deepStrictEqual(
          error.problems.map((problem) => problem.option),
          [option]
        )
      }
    })
  )
})
