import { Clock, Context, Effect, Layer, Schema } from "effect"
import { type JWTPayload, jwtVerify, SignJWT } from "jose"
import { type Instant, type Millis, minutes } from "../time/Instant.ts"
import { Keyring } from "./Keyring.ts"
import * as SigningKey from "./SigningKey.ts"

/**
 * The kinds of signed tokens. Each has its own `typ` and lifetime, so a token of one kind is never accepted as another.
 */
const kinds = {
  id: { typ: "countersign-id+jwt", life: minutes(5) },
  session: { typ: "countersign-session+jwt", life: minutes(10) }
} as const
export type TokenKind = keyof typeof kinds

/** The lifetime of a kind of token. */
export const lifeOf = (kind: TokenKind): Millis => kinds[kind].life

/** The token is not ours, of another kind, for another audience, altered, or expired. */
export class InvalidToken extends Schema.TaggedError<InvalidToken>()("InvalidToken", { kind: Schema.String }) {}

export interface TokenClaims {
  readonly audience: string
  readonly subject: string
  /** Defaults to now. */
  readonly issuedAt?: Instant
  /** Further claims of the token. */
  readonly more?: { readonly [claim: string]: unknown }
}

/**
 * Signs and verifies the server's tokens: ES256 only, with keys derived from the keyring.
 *
 * The `kid` selects one of the server's own keys. Keys inside a token (`jwk`, `jku`, `x5c`) are ignored.
 *
 * @example
 * ```ts
 * import { Tokens } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const tokens = yield* Tokens
 *   const token = yield* tokens.sign("session", { audience: "app", subject: "cs_live_1" })
 *   return yield* tokens.verify("session", token, "app") // { sub: "cs_live_1", … }
 * })
 * ```
 */
export class Tokens extends Context.Service<
  Tokens,
  {
    readonly sign: (kind: TokenKind, claims: TokenClaims) => Effect.Effect<string>
    /** Verifies a token and returns its claims. With an `audience` of null, the caller must check the audience. */
    readonly verify: (
      kind: TokenKind,
      token: string,
      audience: string | null
    ) => Effect.Effect<JWTPayload & { readonly sub: string }, InvalidToken>
    /** The public keys, for `/.well-known/jwks.json`. */
    readonly jwks: { readonly keys: ReadonlyArray<SigningKey.PublicJwk> }
  }
>()("@countersign/core/secret/Tokens") {
  /** `issuer` is the server's public URL, the `iss` of every token. */
  static readonly layer = (options: { readonly issuer: string }): Layer.Layer<Tokens, never, Keyring> =>
    Layer.effect(
      Tokens,
      Effect.gen(function* () {
        const keyring = yield* Keyring
        const keys = yield* Effect.forEach(keyring.all, (key) => SigningKey.derive(key, "token-signing"))
        const byKid = new Map(keys.map((key) => [key.kid, key.publicKey]))
        const current = keys[0]!

        const sign = Effect.fnUntraced(function* (kind: TokenKind, claims: TokenClaims) {
          const { typ, life } = kinds[kind]
          const issuedAt = Math.floor((claims.issuedAt ?? (yield* Clock.currentTimeMillis)) / 1000)
          const token = new SignJWT({ ...claims.more })
            .setProtectedHeader({ alg: "ES256", typ, kid: current.kid })
            .setIssuer(options.issuer)
            .setAudience(claims.audience)
            .setSubject(claims.subject)
            .setJti(crypto.randomUUID())
            .setIssuedAt(issuedAt)
            .setExpirationTime(issuedAt + life / 1000)
          return yield* Effect.promise(() => token.sign(current.privateKey))
        })

        const verify = Effect.fnUntraced(function* (kind: TokenKind, token: string, audience: string | null) {
          const now = yield* Clock.currentTimeMillis
          const { payload } = yield* Effect.tryPromise({
            try: () =>
              jwtVerify(
                token,
                ({ kid }) => {
                  const key = byKid.get(kid ?? "")
                  if (key === undefined) throw new Error("unknown key")
                  return key
                },
                {
                  algorithms: ["ES256"],
                  typ: kinds[kind].typ,
                  issuer: options.issuer,
                  ...(audience === null ? {} : { audience }),
                  requiredClaims: ["aud", "exp", "iat", "sub", "jti"],
                  currentDate: new Date(now)
                }
              ),
            catch: () => new InvalidToken({ kind })
          })
          const { sub } = payload
          if (sub === undefined) return yield* new InvalidToken({ kind })
          return { ...payload, sub }
        })

        return Tokens.of({ sign, verify, jwks: { keys: keys.map((key) => key.jwk) } })
      })
    )
}
