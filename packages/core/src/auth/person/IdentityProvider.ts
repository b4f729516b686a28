import type { ProviderCheck } from "../../foundation/delivery/ProviderCheck.ts"
import type { Instant, Millis } from "../../foundation/time/Instant.ts"
import { type Effect, type Redacted, Schema } from "effect"

/** What one sign-in at the provider is bound to: random, and known to the browser that began it alone. */
export interface Errand {
  readonly state: string
  readonly nonce: string
  /** PKCE: its hash goes to the provider first, and the verifier itself with the code. */
  readonly codeVerifier: Redacted.Redacted
}

/** Whom the provider knows. */
export interface ProvidedIdentity {
  readonly issuer: string
  /** The provider's name of them, which never changes. */
  readonly subject: string
  readonly email: string | null
  /** Whether the provider itself has verified the address. */
  readonly emailVerified: boolean
  /** When they last showed the provider who they are (`auth_time`); null where it does not say. */
  readonly authenticatedAt: Instant | null
}

/** The provider could not be asked: another try may succeed. */
export class ProviderAway extends Schema.TaggedError<ProviderAway>()("ProviderAway", {}) {}

/** What came back proves nothing: another's state, nonce, audience or issuer, or a code that is used up. */
export class ProviderRefused extends Schema.TaggedError<ProviderRefused>()("ProviderRefused", {
  /** For the operator's log: a word of the protocol, without a value. */
  reason: Schema.String
}) {}

/** A provider of OpenID Connect. It checks what the protocol asks for; whether somebody may come in is core's. */
export interface IdentityProvider {
  /** Who it is, for people and logs: the issuer's host. */
  readonly name: string
  /** Where to send the browser. Whoever last showed the provider who they are before `maxAge` is to do so again. */
  readonly start: (errand: Errand, redirectUri: string, maxAge: Millis) => Effect.Effect<URL, ProviderAway>
  /** Who came back, from the query that the browser brings to `redirectUri`. */
  readonly finish: (
    errand: Errand,
    redirectUri: string,
    query: string
  ) => Effect.Effect<ProvidedIdentity, ProviderAway | ProviderRefused>
  /** Asks the provider whether it would work. Without it, the first who signs in finds out. */
  readonly check?: ProviderCheck
}
