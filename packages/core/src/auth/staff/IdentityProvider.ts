import type { ProviderCheck } from "../../foundation/delivery/ProviderCheck.ts"
import type { Instant, Millis } from "../../foundation/time/Instant.ts"
import { type Effect, type Redacted, Schema } from "effect"

/** The random values that bind a sign-in at the provider to the browser that began it. */
export interface Errand {
  readonly state: string
  readonly nonce: string
  /** PKCE: the provider first gets its hash, and then the verifier with the code. */
  readonly codeVerifier: Redacted.Redacted
}

/** The person that the provider authenticated. */
export interface ProvidedIdentity {
  readonly issuer: string
  /** The provider's id of the person (`sub`), which never changes. */
  readonly subject: string
  readonly email: string | null
  /** Whether the provider verified the address. */
  readonly emailVerified: boolean
  /** When the person last authenticated at the provider (`auth_time`); null when the provider does not report it. */
  readonly authenticatedAt: Instant | null
}

/** The provider was unreachable: another try may succeed. */
export class ProviderAway extends Schema.TaggedError<ProviderAway>()("ProviderAway", {}) {}

/** The response proves nothing: a wrong state, nonce, audience or issuer, or a used code. */
export class ProviderRefused extends Schema.TaggedError<ProviderRefused>()("ProviderRefused", {
  /** For the operator's log: a protocol term without a value. */
  reason: Schema.String
}) {}

/** A provider of OpenID Connect. It does the checks of the protocol. Core decides whether the person may sign in. */
export interface IdentityProvider {
  /** The provider's display name, also for logs: the issuer's host. */
  readonly name: string
  /**
   * The URL to send the browser to. A person whose last authentication is older than `maxAge` must authenticate again.
   */
  readonly start: (errand: Errand, redirectUri: string, maxAge: Millis) => Effect.Effect<URL, ProviderAway>
  /** Returns the person, from the query that the browser brings to `redirectUri`. */
  readonly finish: (
    errand: Errand,
    redirectUri: string,
    query: string
  ) => Effect.Effect<ProvidedIdentity, ProviderAway | ProviderRefused>
  /** Checks that the provider works. Otherwise the first sign-in would find out. */
  readonly check?: ProviderCheck
}
