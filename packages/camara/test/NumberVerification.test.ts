import { NumberVerifierTest } from "@countersign/testkit"
import { NumberVerificationSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { NumberVerification } from "../src/index.ts"

/** The number of the specification's vector. */
const phone = "919812345678"
const login = { sessionId: "ver_1", merchantId: "mer_1", phone }

let keys = ""

const optionsOf = (url: string, privateKey: string): NumberVerification.NumberVerificationOptions => ({
  apiUrl: url,
  tokenUrl: `${url}/token`,
  authorizeUrl: `${url}/authorize`,
  redirectUri: "https://app.acme.example/number",
  clientId: "simulated-client-id",
  privateKey: Redacted.make(privateKey)
})

NumberVerifierTest.suite("camara", {
  make: (url) => NumberVerification.make([optionsOf(url, keys)]),
  provider: Effect.tap(NumberVerificationSimulator.make(), ({ privateKey }) =>
    Effect.sync(() => {
      keys = privateKey
    })
  )
})

const begin = Effect.fnUntraced(function* (more: Partial<NumberVerification.NumberVerificationOptions> = {}) {
  const operator = yield* NumberVerificationSimulator.make()
  const verifier = yield* NumberVerification.make([{ ...optionsOf(operator.url, operator.privateKey), ...more }])
  const started = yield* verifier.start!({ ...login, kept: null })
  const ask = (answer: string, kept = started.kept) =>
    verifier.verify({ answer: Redacted.make(answer) }, { ...login, kept })
  const short = (answer: string, kept?: string) =>
    Effect.map(Effect.flip(ask(answer, kept)), ({ reason }) =>
      [reason._tag, reason.providerCode, "because" in reason ? reason.because : ""].join(" ").trim()
    )
  return { operator, verifier, started, ask, short }
})

describe("the address that the phone opens", () => {
  it.effect("asks for a code with PKCE, state, nonce and one purpose, for the registered redirect URI", () =>
    Effect.gen(function* () {
      const { started } = yield* begin()
      const { searchParams } = new URL(started.url)
      const { code_challenge: challenge, nonce, state, ...fixed } = Object.fromEntries(searchParams)
      assert.deepStrictEqual(fixed, {
        response_type: "code",
        client_id: "simulated-client-id",
        redirect_uri: "https://app.acme.example/number",
        scope: "openid dpv:FraudPreventionAndDetection number-verification:verify",
        prompt: "none",
        code_challenge_method: "S256"
      })
      for (const random of [challenge, nonce, state]) assert.match(random!, /^[\w-]{43}$/)
      assert.strictEqual(new Set([challenge, nonce, state]).size, 3)
      assert.notInclude(started.url, phone)
    })
  )

  it.effect("is that of the operator with the longest prefix, and there is none for other numbers", () =>
    Effect.gen(function* () {
      const { operator } = yield* begin()
      const one = (name: string, prefixes: ReadonlyArray<string>) => ({
        ...optionsOf(operator.url, operator.privateKey),
        name,
        prefixes,
        authorizeUrl: `https://${name}.example/authorize`
      })
      const verifier = yield* NumberVerification.make([
        one("india", ["91"]),
        one("mumbai", ["9198"]),
        one("germany", ["49"])
      ])
      const hostOf = (phone: string) =>
        Effect.map(verifier.start!({ ...login, phone, kept: null }), ({ url }) => new URL(url).host)
      assert.strictEqual(yield* hostOf(phone), "mumbai.example")
      assert.strictEqual(yield* hostOf("917000000000"), "india.example")
      const { reason } = yield* Effect.flip(hostOf("447700900123"))
      assert.deepInclude(reason, { _tag: "Refused", because: "channel" })
    })
  )
})

describe("the redirect", () => {
  it.effect("proves the number of the SIM, also by its hash, and another SIM proves none", () =>
    Effect.gen(function* () {
      for (const hashed of [false, true]) {
        const { ask, operator, started } = yield* begin({ hashed })
        assert.deepStrictEqual(yield* ask(operator.open(started.url, phone)), { phone, isVerified: true })
        const seen = (yield* operator.seen).at(-1)!
        if (hashed) assert.include(seen, "07afa5a55570072bd903ce6f651eacc533c5a5600c7d626d303a152f2bf1b3b0")
        assert.strictEqual(seen.includes(phone), !hashed)
        const other = yield* begin({ hashed })
        const proof = yield* other.ask(other.operator.open(other.started.url, "919876543211"))
        assert.deepStrictEqual(proof, { phone: null, isVerified: false })
      }
    })
  )

  it.effect("over Wi-Fi says so, and a page instead of a redirect too", () =>
    Effect.gen(function* () {
      const { operator, short, started } = yield* begin()
      assert.strictEqual(yield* short(operator.open(started.url, null)), "Refused login_required channel")
      assert.strictEqual(yield* short("<html>Please sign in</html>"), "Refused no_redirect channel")
      assert.lengthOf(yield* operator.seen, 0)
    })
  )

  it.effect("of another login, of another address, or with changed parameters is refused before a request", () =>
    Effect.gen(function* () {
      const { operator, short, started, verifier } = yield* begin()
      const right = operator.open(started.url, phone)
      const other = yield* verifier.start!({ ...login, kept: null })
      const changed = (change: (url: URL) => void) => {
        const url = new URL(right)
        change(url)
        return url.href
      }
      for (const [answer, told] of [
        [right.replace("app.acme.example", "evil.example"), "Refused no_redirect channel"],
        [right.replace("/number", "/other"), "Refused no_redirect channel"],
        [changed((url) => url.searchParams.delete("state")), "Refused state"],
        [changed((url) => url.searchParams.append("state", "second")), "Refused state"],
        [changed((url) => url.searchParams.set("state", "wrong")), "Refused state"],
        [changed((url) => url.searchParams.append("code", "second")), "Refused code"],
        [changed((url) => url.searchParams.delete("code")), "Refused code"],
        [operator.open(other.url, phone), "Refused state"]
      ] as const) {
        assert.strictEqual(yield* short(answer), told, answer)
      }
      assert.lengthOf(yield* operator.seen, 0)
    })
  )

  it.effect("with the code of another login is refused by PKCE", () =>
    Effect.gen(function* () {
      const { operator, short, started, verifier } = yield* begin()
      const other = yield* verifier.start!({ ...login, kept: null })
      const stolen = new URL(operator.open(other.url, phone)).searchParams.get("code")!
      const url = new URL(operator.open(started.url, phone))
      url.searchParams.set("code", stolen)
      assert.strictEqual(yield* short(url.href), "Refused invalid_grant")
      assert.strictEqual(yield* short(operator.open(started.url, phone), "{}"), "Refused unknown_operator")
    })
  )
})

describe("options", () => {
  it.effect("are validated at the start", () =>
    Effect.gen(function* () {
      const { operator } = yield* begin()
      const right = optionsOf(operator.url, operator.privateKey)
      for (const [option, value] of [
        ["authorizeUrl", "http://operator.example/authorize"],
        ["authorizeUrl", "javascript:alert(1)"],
        ["redirectUri", "http://app.example/number"],
        ["redirectUri", "https://user@app.example/number"],
        ["redirectUri", "https://app.example/number#top"],
        ["redirectUri", "number"],
        ["numberVerificationPath", "number verification"]
      ] as const) {
        const error = yield* Effect.flip(NumberVerification.make([{ ...right, [option]: value }]))
        assert.deepStrictEqual(
          error.problems.map((problem) => problem.option),
          [option]
        )
      }
    })
  )
})
