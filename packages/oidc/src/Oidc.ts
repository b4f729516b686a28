import type { InvalidOptions } from "@countersign/core/channel"
import {
  type IdentityProvider,
  type ProvidedIdentity,
  ProviderAway,
  type ProviderCheck,
  ProviderCheckFailed,
  ProviderRefused
} from "@countersign/core/person"
import { type Cause, Duration, Effect, Exit, Redacted } from "effect"
import * as client from "openid-client"
import { check as checkOptions, isInsecure, type Options } from "./Options.ts"

export type { Options } from "./Options.ts"

const deadlineSeconds = 10
/** How long metadata is cached. Keys are fetched again separately when one is unknown. */
const discoveredFor = Duration.hours(1)
/** How long a silent provider is not called, because anyone can start a sign-in, and each would call it and log a line. */
const restsForNanos = 5_000_000_000n

/** The library's codes for a provider that did not answer, or not validly. */
const away: ReadonlySet<string> = new Set(["OAUTH_TIMEOUT", "OAUTH_ABORT", "OAUTH_RESPONSE_IS_NOT_CONFORM"])

const codeOf = (error: unknown): string | undefined =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined

/** Whether `fetch` itself failed: no connection, unknown host, or invalid certificate. */
const isUnreached = (error: unknown): boolean => {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause instanceof TypeError && cause.message === "fetch failed") return true
  }
  return false
}

/** The protocol's error code, never free text that a third party could have chosen. */
const reasonOf = (error: unknown): string => {
  const word =
    error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError
      ? error.error
      : codeOf(error)
  return word !== undefined && /^[A-Za-z_]{1,64}$/.test(word) ? word : "unreadable"
}

const told = (error: unknown): ProviderAway | ProviderRefused => {
  const code = codeOf(error)
  return isUnreached(error) || (code !== undefined && away.has(code))
    ? new ProviderAway()
    : new ProviderRefused({ reason: reasonOf(error) })
}

const asked = <A>(ask: () => Promise<A>): Effect.Effect<A, ProviderAway | ProviderRefused> =>
  Effect.tryPromise({ try: ask, catch: told })

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

const isAway = (error: unknown) => isUnreached(error) || /^OAUTH_(TIMEOUT|ABORT)$/.test(codeOf(error) ?? "")

/** Reads the provider's metadata. Client id and secret are not tested before the first sign-in. */
const check = (issuer: string, discover: Effect.Effect<client.Configuration, Cause.UnknownError>): ProviderCheck =>
  discover.pipe(
    Effect.mapError(({ cause }) =>
      isAway(cause)
        ? new ProviderCheckFailed({
            problem: "is unreachable or did not answer in time",
            advice: "check that this machine can reach the issuer and that Node.js trusts its certificate"
          })
        : new ProviderCheckFailed({
            problem: `has no usable metadata (${reasonOf(cause)})`,
            advice: `${issuer}/.well-known/openid-configuration must contain exactly this issuer`
          })
    ),
    Effect.as({ detail: "its metadata is valid; client id and secret are tested at the first sign-in" })
  )

const providerOf = Effect.fnUntraced(function* ({ clientId, clientSecret, issuer }: Options) {
  const discover = Effect.tryPromise(() =>
    client.discovery(new URL(issuer), clientId, undefined, client.ClientSecretBasic(Redacted.value(clientSecret)), {
      timeout: deadlineSeconds,
      execute: isInsecure(issuer) ? [client.allowInsecureRequests] : []
    })
  )
  const monotonicNanos = Effect.clockWith(({ monotonicTimeNanos }) => monotonicTimeNanos)
  /** In monotonic time, so that a clock that is set back does not extend it. */
  let restsUntil: bigint | null = null
  const asking = yield* Effect.cachedWithTTL(
    Effect.mapError(discover, () => new ProviderAway()).pipe(
      Effect.tapError(() => Effect.logWarning("The OpenID Connect provider is unreachable", { issuer })),
      Effect.tapError(() =>
        Effect.map(monotonicNanos, (now) => {
          restsUntil = now + restsForNanos
        })
      )
    ),
    (exit) => (Exit.isSuccess(exit) ? discoveredFor : Duration.zero)
  )
  const discovered = Effect.flatMap(monotonicNanos, (now) =>
    restsUntil !== null && now < restsUntil ? Effect.fail(new ProviderAway()) : asking
  )

  const provider: IdentityProvider = {
    name: new URL(issuer).host,
    check: check(issuer, discover),

    start: Effect.fnUntraced(function* ({ codeVerifier, nonce, state }, redirectUri, maxAge) {
      const known = yield* discovered
      const challenge = yield* Effect.promise(() => client.calculatePKCECodeChallenge(Redacted.value(codeVerifier)))
      return client.buildAuthorizationUrl(known, {
        redirect_uri: redirectUri,
        scope: "openid email",
        response_type: "code",
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: "S256",
        max_age: String(Math.floor(maxAge / 1000))
      })
    }),

    finish: Effect.fnUntraced(function* ({ codeVerifier, nonce, state }, redirectUri, query) {
      const known = yield* discovered
      const url = new URL(redirectUri)
      url.search = query
      const tokens = yield* asked(() =>
        client.authorizationCodeGrant(known, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: Redacted.value(codeVerifier),
          idTokenExpected: true
        })
      )
      const claims = tokens.claims()
      if (claims === undefined) return yield* new ProviderRefused({ reason: "no_id_token" })
      const endpoint = known.serverMetadata().userinfo_endpoint
      // Many providers return the e-mail address there and not in the token.
      const more =
        claims["email"] === undefined && endpoint !== undefined
          ? yield* asked(() => client.fetchUserInfo(known, tokens.access_token, claims.sub))
          : claims
      const identity: ProvidedIdentity = {
        issuer: claims.iss,
        subject: claims.sub,
        email: text(more["email"]),
        emailVerified: more["email_verified"] === true,
        authenticatedAt: claims.auth_time === undefined ? null : claims.auth_time * 1000
      }
      return identity
    })
  }
  return provider
})

/**
 * An OpenID Connect provider. Its metadata is read at the first sign-in. `openid-client` validates issuer, audience,
 * signature, times, state, nonce and PKCE.
 *
 * @example
 * ```ts
 * import { Oidc } from "@countersign/oidc"
 * import { Effect, Redacted } from "effect"
 *
 * const provider = await Effect.runPromise(
 *   Oidc.make({
 *     issuer: "https://accounts.example.com",
 *     clientId: "countersign",
 *     clientSecret: Redacted.make("from-the-provider")
 *   })
 * )
 * ```
 */
export const make = (options: Options): Effect.Effect<IdentityProvider, InvalidOptions> =>
  Effect.flatMap(Effect.fromResult(checkOptions(options)), providerOf)
