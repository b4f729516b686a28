import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose"
import { issuer, makeProcess, makeStorage, secrets, start } from "../fixtures/World.ts"

const life = { id: 300, session: 600 } as const

const process = (options: Parameters<typeof makeProcess>[1] = {}) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(start)
    return yield* makeProcess(yield* makeStorage, { idle: true, ...options })
  })

const claims = { audience: "cs_live_1", subject: "ver_1", more: { auth_time: 12, identity: "a@example.com" } }

describe("signed tokens", () => {
  it.effect.each(["id", "session"] as const)("of kind %s decode to their claims until they expire", (kind) =>
    Effect.gen(function* () {
      const { keyring, tokens } = yield* process()
      const token = yield* tokens.sign(kind, claims)
      assert.deepStrictEqual(decodeProtectedHeader(token), {
        alg: "ES256",
        typ: `countersign-${kind}+jwt`,
        kid: keyring.current.id
      })
      const payload = yield* tokens.verify(kind, token, "cs_live_1")
      assert.deepStrictEqual(payload, {
        auth_time: 12,
        identity: "a@example.com",
        iss: issuer,
        aud: "cs_live_1",
        sub: "ver_1",
        jti: payload.jti!,
        iat: start / 1000,
        exp: start / 1000 + life[kind]
      })
      assert.deepStrictEqual(yield* tokens.verify(kind, token, null), payload)
      const another = yield* tokens.verify(kind, yield* tokens.sign(kind, claims), "cs_live_1")
      assert.notStrictEqual(another.jti, payload.jti)

      yield* TestClock.setTime(start + life[kind] * 1000 - 1)
      assert.deepStrictEqual(yield* tokens.verify(kind, token, "cs_live_1"), payload)
      yield* TestClock.setTime(start + life[kind] * 1000)
      assert.strictEqual((yield* Effect.flip(tokens.verify(kind, token, "cs_live_1"))).kind, kind)
    })
  )

  it.effect("cannot override their own reserved claims", () =>
    Effect.gen(function* () {
      const { tokens } = yield* process()
      const more = { iss: "https://evil.example", aud: "cs_live_2", sub: "ver_2", exp: 9_999_999_999, iat: 1, jti: "j" }
      const { aud, exp, iat, iss, sub } = yield* tokens.verify(
        "id",
        yield* tokens.sign("id", { ...claims, more }),
        "cs_live_1"
      )
      assert.deepStrictEqual(
        { aud, exp, iat, iss, sub },
        { aud: "cs_live_1", exp: start / 1000 + 300, iat: start / 1000, iss: issuer, sub: "ver_1" }
      )
    })
  )

  it.effect("verify with the public keys, and with nothing else", () =>
    Effect.gen(function* () {
      const { keyring, tokens } = yield* process({ previousSecrets: [secrets.second] })
      const { keys } = tokens.jwks
      assert.deepStrictEqual(
        keys.map((key) => [Object.keys(key).toSorted(), key.kid, key.kty, key.crv, key.alg, key.use]),
        keyring.all.map(({ id }) => [["alg", "crv", "kid", "kty", "use", "x", "y"], id, "EC", "P-256", "ES256", "sig"])
      )
      const token = yield* tokens.sign("id", claims)
      const outside = (jwks: typeof tokens.jwks) =>
        Effect.tryPromise(() =>
          jwtVerify(token, createLocalJWKSet({ keys: jwks.keys.map((key) => ({ ...key })) }), {
            issuer,
            audience: "cs_live_1",
            currentDate: new Date(start)
          })
        )
      assert.strictEqual((yield* outside(tokens.jwks)).payload.sub, "ver_1")
      const swapped = { keys: keys.map((key, i) => ({ ...keys[1 - i]!, kid: key.kid })) }
      assert.strictEqual((yield* Effect.exit(outside(swapped)))._tag, "Failure")
    })
  )

  it.effect("survive a rotation of the secret, and end when the old secret is removed", () =>
    Effect.gen(function* () {
      const before = yield* process()
      const rotated = yield* process({ secret: secrets.second, previousSecrets: [secrets.first] })
      const retired = yield* process({ secret: secrets.second })
      const old = yield* before.tokens.sign("id", claims)
      const fresh = yield* rotated.tokens.sign("id", claims)
      const accepted = (where: typeof before, token: string) =>
        Effect.map(Effect.exit(where.tokens.verify("id", token, "cs_live_1")), (exit) => exit._tag === "Success")
      assert.deepStrictEqual(
        yield* Effect.all([
          accepted(rotated, old),
          accepted(rotated, fresh),
          accepted(retired, fresh),
          accepted(retired, old),
          accepted(before, fresh)
        ]),
        [true, true, true, false, false]
      )
    })
  )

  it.effect("are signed with the same key in every process with the secret", () =>
    Effect.gen(function* () {
      const one = yield* process()
      const other = yield* process()
      assert.deepStrictEqual(one.tokens.jwks, other.tokens.jwks)
      yield* other.tokens.verify("session", yield* one.tokens.sign("session", claims), "cs_live_1")
    })
  )
})
