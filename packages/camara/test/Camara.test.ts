import { Camara } from "@countersign/camara"
import { InvalidOptions, type LineFact, type LineInfoError } from "@countersign/core/channel"
import { CamaraSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { generateKeyPairSync } from "node:crypto"

const asha = "+919876543210"
const hour = 3_600_000

const adapterFor = (
  { apiUrl, clientId, privateKey, tokenUrl }: CamaraSimulator.CamaraSimulator,
  more: Partial<Camara.LineInfoOptions> = {}
) =>
  Camara.lineInfo({
    apiUrl,
    tokenUrl,
    clientId,
    privateKey: Redacted.make(privateKey),
    facts: ["simSwapped", "simSwappedAt", "recycled"],
    ...more
  })

const request = (...facts: ReadonlyArray<LineFact>) => ({
  number: asha,
  facts,
  simSwapHours: 240,
  recycledSince: "2025-01-31"
})

const short = ({ reason }: LineInfoError) =>
  `${reason._tag} ${reason.providerCode}${"because" in reason ? ` ${reason.because}` : ""}`

const bodyOf = (raw: string | undefined) => raw?.split("\r\n\r\n")[1]
const bearerOf = (raw: string | undefined) => /^authorization: Bearer (\S+)/im.exec(raw ?? "")?.[1]
const claimsOf = (raw: string | undefined) => {
  const assertion = new URLSearchParams(bodyOf(raw)).get("client_assertion") ?? ""
  const [head, claims] = assertion.split(".").map((part) => Buffer.from(part, "base64url").toString())
  return { head: JSON.parse(head!) as unknown, claims: JSON.parse(claims!) as { readonly [name: string]: unknown } }
}

describe("the requests of a lookup", () => {
  it.effect("are a token request with a signed assertion, and one call for each fact", () =>
    Effect.gen(function* () {
      const operator = yield* CamaraSimulator.make()
      yield* operator.know({ number: asha })
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      const adapter = yield* adapterFor(operator, { keyId: "key-1", purpose: "dpv:FraudPreventionAndDetection" })
      assert.deepStrictEqual(yield* adapter.lookUp(request("simSwapped")), { simSwapped: false })
      const [token, check] = yield* operator.seen
      assert.match(token!, /^POST \/token HTTP\/1\.1/)
      assert.match(token!, /content-type: application\/x-www-form-urlencoded/i)
      const form = new URLSearchParams(bodyOf(token))
      const { claims, head } = claimsOf(token)
      assert.deepStrictEqual(head, { alg: "ES256", typ: "JWT", kid: "key-1" })
      const { jti, ...rest } = claims
      assert.match(String(jti), /^[0-9a-f-]{36}$/)
      const now = Date.UTC(2026, 0, 1) / 1000
      assert.deepStrictEqual(rest, {
        iss: operator.clientId,
        sub: operator.clientId,
        aud: operator.tokenUrl,
        iat: now,
        exp: now + 60
      })
      form.delete("client_assertion")
      assert.deepStrictEqual(Object.fromEntries(form), {
        grant_type: "client_credentials",
        scope: "dpv:FraudPreventionAndDetection sim-swap:check",
        client_id: operator.clientId,
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
      })
      assert.match(check!, /^POST \/sim-swap\/v2\/check HTTP\/1\.1/)
      assert.match(check!, /^x-correlator: [0-9a-f-]{36}$/im)
      assert.strictEqual(bodyOf(check), '{"phoneNumber":"+919876543210","maxAge":240}')
      for (const raw of [token!, check!]) assert.notMatch(raw, /^(traceparent|b3|cookie):/im)

      yield* adapter.lookUp(request("simSwapped", "simSwappedAt", "recycled"))
      const later = (yield* operator.seen).slice(2).filter((raw) => !raw.startsWith("POST /token"))
      assert.sameMembers(later.map(bodyOf), [
        '{"phoneNumber":"+919876543210"}',
        '{"phoneNumber":"+919876543210","specifiedDate":"2025-01-31"}'
      ])
    })
  )

  it.effect("use one token until shortly before it ends, and wait for one token request", () =>
    Effect.gen(function* () {
      const operator = yield* CamaraSimulator.make({ tokenSeconds: 300 })
      yield* operator.know({ number: asha })
      const adapter = yield* adapterFor(operator)
      const lookUp = adapter.lookUp(request("simSwapped"))
      yield* Effect.all([lookUp, lookUp, lookUp, lookUp], { concurrency: "unbounded" })
      yield* TestClock.adjust("269 seconds")
      yield* lookUp
      assert.strictEqual(yield* operator.issued, 1)
      yield* TestClock.adjust("2 seconds")
      yield* lookUp
      assert.strictEqual(yield* operator.issued, 2)
      const assertions = (yield* operator.seen).filter((raw) => raw.startsWith("POST /token")).map(claimsOf)
      assert.strictEqual(new Set(assertions.map(({ claims }) => claims["jti"])).size, 2, "no assertion is used twice")
    })
  )

  it.effect("are repeated once with a new token when the operator ended the old one", () =>
    Effect.gen(function* () {
      const operator = yield* CamaraSimulator.make()
      yield* operator.know({ number: asha })
      const adapter = yield* adapterFor(operator)
      yield* adapter.lookUp(request("simSwapped"))
      yield* operator.endTokens
      assert.deepStrictEqual(yield* adapter.lookUp(request("simSwapped")), { simSwapped: false })
      const calls = (yield* operator.seen).filter((raw) => raw.startsWith("POST /sim-swap"))
      assert.lengthOf(calls, 3)
      assert.strictEqual(new Set(calls.map(bearerOf)).size, 2)
    })
  )

  it.effect("are signed with RS256 for an RSA key", () =>
    Effect.gen(function* () {
      const pair = generateKeyPairSync("rsa", { modulusLength: 2048 })
      const publicKey = pair.publicKey.export({ type: "spki", format: "pem" }).toString()
      const operator = yield* CamaraSimulator.make({ publicKey })
      yield* operator.know({ number: asha })
      const pem = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString()
      const adapter = yield* adapterFor(operator, { privateKey: Redacted.make(pem.replaceAll("\n", "\\n")) })
      assert.deepStrictEqual(yield* adapter.lookUp(request("simSwapped")), { simSwapped: false })
      assert.deepStrictEqual(claimsOf((yield* operator.seen)[0]).head, { alg: "RS256", typ: "JWT" })
    })
  )
})

describe("the answers of an operator", () => {
  it.effect("tell whether and when the SIM changed, and whether the number has a new owner", () =>
    Effect.gen(function* () {
      const operator = yield* CamaraSimulator.make()
      const adapter = yield* adapterFor(operator)
      const now = yield* Clock.currentTimeMillis
      yield* operator.know({ number: asha, simSwappedAt: now - 240 * hour, ownerSince: "2025-02-01" })
      assert.deepStrictEqual(yield* adapter.lookUp(request("simSwapped", "recycled")), {
        simSwapped: true,
        recycled: true
      })
      assert.deepStrictEqual(yield* adapter.lookUp(request("simSwappedAt")), {
        simSwapped: true,
        simSwappedAt: now - 240 * hour
      })
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(
        yield* adapter.lookUp({ ...request("simSwapped", "recycled"), recycledSince: "2025-02-01" }),
        {
          simSwapped: false,
          recycled: false
        }
      )
    })
  )

  it.effect("say nothing beyond the time that the operator may look back", () =>
    Effect.gen(function* () {
      const operator = yield* CamaraSimulator.make({ monitoredDays: 5 })
      yield* operator.know({ number: asha })
      const adapter = yield* adapterFor(operator)
      assert.deepStrictEqual(yield* adapter.lookUp(request("simSwapped")), {})
      assert.deepStrictEqual(yield* adapter.lookUp(request("simSwappedAt")), {})
      assert.deepStrictEqual(yield* adapter.lookUp({ ...request("simSwappedAt"), simSwapHours: 120 }), {
        simSwapped: false
      })
    })
  )

  it.effect("are an error only when none of the calls told anything", () =>
    Effect.gen(function* () {
      const operator = yield* CamaraSimulator.make()
      yield* operator.know({ number: asha })
      const adapter = yield* adapterFor(operator, { numberRecyclingPath: "/number-recycling/v9" })
      assert.deepStrictEqual(yield* adapter.lookUp(request("simSwapped", "recycled")), { simSwapped: false })
      const other = yield* adapterFor(operator, { clientId: "another-client" })
      assert.strictEqual(
        short(yield* Effect.flip(other.lookUp(request("simSwapped", "recycled")))),
        "Refused invalid_client account"
      )
    })
  )
})

describe("options", () => {
  it.effect("that cannot work are all named, without their values", () =>
    Effect.gen(function* () {
      const problem = yield* Effect.flip(
        Camara.lineInfo({
          name: "a b",
          prefixes: ["+91"],
          apiUrl: "http://api.example.com",
          tokenUrl: "https://user:word@example.com/token",
          clientId: "two words",
          privateKey: Redacted.make("-----BEGIN SECRET"),
          keyId: "",
          audience: "two words",
          purpose: "anything",
          facts: [],
          simSwapPath: "../etc",
          numberRecyclingPath: "/x?y"
        })
      )
      assert.instanceOf(problem, InvalidOptions)
      assert.lengthOf(problem.problems, 12)
      assert.notMatch(problem.message, /SECRET|word@|two words|etc/)
    })
  )

  it.effect("accept RSA keys of 2048 bits and P-256, and no weaker or other key", () =>
    Effect.gen(function* () {
      const operator = yield* CamaraSimulator.make()
      const small = generateKeyPairSync("rsa", { modulusLength: 1024 })
      const curve = generateKeyPairSync("ec", { namedCurve: "secp256k1" })
      const other = generateKeyPairSync("ed25519")
      for (const { privateKey } of [small, curve, other]) {
        const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString()
        const result = yield* Effect.result(adapterFor(operator, { privateKey: Redacted.make(pem) }))
        assert.isTrue(Result.isFailure(result))
      }
    })
  )
})
