import type { Errand, ProvidedIdentity } from "@countersign/core/person"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Oidc } from "../src/index.ts"
import * as RealProvider from "./fixtures/RealProvider.ts"

const back = "http://127.0.0.1/dashboard/oidc/callback"
const tenMinutes = 600_000
const ours = { id: "countersign", secret: "ours", redirectUri: back }
const theirs = { id: "somebody-else", secret: "theirs", redirectUri: back }

let provider: RealProvider.RealProvider

beforeAll(async () => {
  provider = await RealProvider.start({
    clients: [ours, theirs],
    accounts: {
      asha: { email: "asha@example.com", emailVerified: true },
      ravi: { email: "ravi@example.com", emailVerified: false }
    }
  })
})
afterAll(() => provider.close())

const clientOf = ({ id, secret }: { readonly id: string; readonly secret: string }, issuer = provider.issuer) =>
  Oidc.make({ issuer, clientId: id, clientSecret: Redacted.make(secret) })

const errand = (name: string): Errand => ({
  state: `state-${name}`,
  nonce: `nonce-${name}`,
  codeVerifier: Redacted.make(name.padEnd(43, "x"))
})

const visit = (url: URL, login: string) => Effect.promise(() => RealProvider.visit(url, login, back))

/** The result: the person, or the reason of the refusal. */
const outcome = (finish: Effect.Effect<ProvidedIdentity, { readonly _tag: string; readonly reason?: string }>) =>
  Effect.map(Effect.result(finish), (result) =>
    Result.isSuccess(result) ? result.success : [result.failure._tag, result.failure.reason ?? ""].join(" ").trim()
  )

describe("sign-in with a real identity provider", () => {
  it.effect("returns the person with their address, and whether the provider has verified it", () =>
    Effect.gen(function* () {
      const client = yield* clientOf(ours)
      for (const [login, emailVerified] of [
        ["asha", true],
        ["ravi", false]
      ] as const) {
        const url = yield* client.start(errand(login), back, tenMinutes)
        assert.strictEqual(url.searchParams.get("code_challenge_method"), "S256")
        const returned = yield* visit(url, login)
        assert.strictEqual(url.searchParams.get("max_age"), "600")
        const { authenticatedAt, ...identity } = yield* client.finish(errand(login), back, returned.search)
        assert.isNumber(authenticatedAt)
        assert.deepStrictEqual(identity, {
          issuer: provider.issuer,
          subject: login,
          email: `${login}@example.com`,
          emailVerified
        })
      }
    })
  )

  it.effect("refuses a state, nonce or verifier of another sign-in, and a used code", () =>
    Effect.gen(function* () {
      const client = yield* clientOf(ours)
      const wrong: ReadonlyArray<readonly [string, Partial<Errand>, string]> = [
        ["state", { state: "state-other" }, "ProviderRefused OAUTH_INVALID_RESPONSE"],
        ["nonce", { nonce: "nonce-other" }, "ProviderRefused OAUTH_JWT_CLAIM_COMPARISON_FAILED"],
        ["verifier", { codeVerifier: Redacted.make("y".repeat(43)) }, "ProviderRefused invalid_grant"]
      ]
      for (const [name, change, expected] of wrong) {
        const returned = yield* visit(yield* client.start(errand(name), back, tenMinutes), "asha")
        const finish = client.finish({ ...errand(name), ...change }, back, returned.search)
        assert.strictEqual(yield* outcome(finish), expected, name)
      }
      const returned = yield* visit(yield* client.start(errand("twice"), back, tenMinutes), "asha")
      yield* client.finish(errand("twice"), back, returned.search)
      assert.strictEqual(
        yield* outcome(client.finish(errand("twice"), back, returned.search)),
        "ProviderRefused invalid_grant"
      )
    })
  )

  it.effect("refuses a code for another client, and one that names another issuer", () =>
    Effect.gen(function* () {
      const client = yield* clientOf(ours)
      const other = yield* clientOf(theirs)
      const theirCode = yield* visit(yield* other.start(errand("audience"), back, tenMinutes), "asha")
      assert.strictEqual(
        yield* outcome(client.finish(errand("audience"), back, theirCode.search)),
        "ProviderRefused invalid_grant"
      )
      const returned = yield* visit(yield* client.start(errand("issuer"), back, tenMinutes), "asha")
      returned.searchParams.set("iss", "https://accounts.example.net")
      assert.strictEqual(
        yield* outcome(client.finish(errand("issuer"), back, returned.search)),
        "ProviderRefused OAUTH_INVALID_RESPONSE"
      )
    })
  )

  it.effect("refuses anything but a code from the browser", () =>
    Effect.gen(function* () {
      const client = yield* clientOf(ours)
      const iss = `iss=${encodeURIComponent(provider.issuer)}`
      const queries: ReadonlyArray<readonly [string, string]> = [
        ["", "ProviderRefused OAUTH_INVALID_RESPONSE"],
        [`?error=access_denied&state=state-q&${iss}`, "ProviderRefused access_denied"],
        [`?error=<script>&state=state-q&${iss}`, "ProviderRefused unreadable"],
        ["?code=a&code=b&state=state-q", "ProviderRefused OAUTH_INVALID_RESPONSE"],
        ["?code=a&state=state-q&state=state-q", "ProviderRefused OAUTH_INVALID_RESPONSE"],
        [`?code=a&state=state-q&${iss}`, "ProviderRefused invalid_grant"]
      ]
      for (const [query, expected] of queries) {
        assert.strictEqual(yield* outcome(client.finish(errand("q"), back, query)), expected, query)
      }
    })
  )
})

describe("a wrong or unreachable identity provider", () => {
  /** The provider's answers that a test can replace. */
  let lies: { readonly [path: string]: object } = {}
  /** The last answer of the token endpoint by client. */
  const tokens: Array<{ readonly [name: string]: unknown }> = []
  const tamper = (path: string, answer: { readonly [name: string]: unknown }) => {
    if (path === "/token") tokens.push(answer)
    return { ...answer, ...lies[path] }
  }
  const accounts = { asha: { email: "asha@example.com", emailVerified: true } }
  const liar = Effect.acquireRelease(
    Effect.promise(() => RealProvider.start({ clients: [ours, theirs], accounts, tamper })),
    ({ close }) => Effect.promise(close)
  )

  const signIn = Effect.fnUntraced(function* (who: typeof ours, issuer: string, name: string) {
    const client = yield* clientOf(who, issuer)
    const returned = yield* visit(yield* client.start(errand(name), back, tenMinutes), "asha")
    return yield* outcome(client.finish(errand(name), back, returned.search))
  })

  const refused = (issuer: string) =>
    Effect.map(
      signIn(ours, issuer, "same"),
      (ended) => typeof ended === "string" && ended.startsWith("ProviderRefused")
    )

  it.effect("is refused if its token is for another client or from another issuer", () =>
    Effect.gen(function* () {
      lies = {}
      const [mine, other] = [yield* liar, yield* liar]
      // Both sign with the same key, so only the claim is wrong.
      yield* signIn(theirs, mine.issuer, "same")
      yield* signIn(ours, other.issuer, "same")
      const [foreignAudience, foreignIssuer] = tokens.map(({ id_token }) => id_token)
      for (const id_token of [foreignAudience, foreignIssuer]) {
        lies = { "/token": { id_token } }
        assert.strictEqual(
          yield* signIn(ours, mine.issuer, "same"),
          "ProviderRefused OAUTH_JWT_CLAIM_COMPARISON_FAILED"
        )
      }
      lies = { "/token": { id_token: `${String(foreignAudience).split(".").slice(0, 2).join(".")}.AAAA` } }
      assert.isTrue(yield* refused(mine.issuer))
      lies = { "/me": { sub: "somebody-else" } }
      assert.isTrue(yield* refused(mine.issuer))
    })
  )

  it.effect("receives no request if its metadata names another issuer", () =>
    Effect.gen(function* () {
      const { issuer } = yield* liar
      lies = { "/.well-known/openid-configuration": { issuer: "https://accounts.example.net" } }
      const client = yield* clientOf(ours, issuer)
      assert.strictEqual((yield* Effect.flip(client.start(errand("a"), back, tenMinutes)))._tag, "ProviderAway")
      lies = {}
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* client.start(errand("a"), back, tenMinutes)).origin, issuer)
    })
  )

  it.effect("is unavailable if nothing answers", () =>
    Effect.gen(function* () {
      const { close, issuer } = yield* liar
      const client = yield* clientOf(ours, issuer)
      const returned = yield* visit(yield* client.start(errand("away"), back, tenMinutes), "asha")
      yield* Effect.promise(close)
      assert.strictEqual(yield* outcome(client.finish(errand("away"), back, returned.search)), "ProviderAway")
    })
  )

  it.effect("is requested every five seconds while unavailable, for any number of sign-ins", () =>
    Effect.gen(function* () {
      let asked = 0
      const failing = createServer((_, response) => {
        asked++
        response.writeHead(503).end()
      })
      const port = yield* Effect.acquireRelease(
        Effect.callback<number>((resume) => {
          failing.listen(0, "127.0.0.1", () => resume(Effect.succeed((failing.address() as AddressInfo).port)))
        }),
        () => Effect.sync(() => failing.close())
      )
      const client = yield* clientOf(ours, `http://127.0.0.1:${port}`)
      const start = Effect.flip(client.start(errand("early"), back, tenMinutes))
      for (let n = 0; n < 20; n++) assert.strictEqual((yield* start)._tag, "ProviderAway")
      assert.strictEqual(asked, 1)
      yield* TestClock.adjust("5 seconds")
      yield* start
      assert.strictEqual(asked, 2)
    })
  )
})

describe("the options of OpenID Connect", () => {
  it.effect("stop the start with all problems together if they are invalid", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(
        Oidc.make({ issuer: "http://accounts.example.com", clientId: "", clientSecret: Redacted.make("a\nb") })
      )
      assert.deepStrictEqual(
        failure.problems.map(({ option }) => option),
        ["issuer", "clientId", "clientSecret"]
      )
      assert.notInclude(failure.message, "a\nb")
    })
  )
})

describe("the identity provider check before any sign-in", () => {
  const checked = (issuer: string) =>
    Effect.flatMap(clientOf(ours, issuer), ({ check }) =>
      Effect.match(check!, { onFailure: ({ message }) => `failed: ${message}`, onSuccess: ({ detail }) => detail })
    )

  it.effect("reads its metadata, and distinguishes another issuer from an unreachable one", () =>
    Effect.gen(function* () {
      assert.match(yield* checked(provider.issuer), /^its metadata is valid; /)
      assert.match(yield* checked("http://127.0.0.1:1"), /^failed: is unreachable/)
      assert.match(
        yield* checked(`${provider.issuer}/elsewhere`),
        /^failed: has no usable metadata \(\w+\); .+ must contain exactly this issuer/
      )
    })
  )
})
