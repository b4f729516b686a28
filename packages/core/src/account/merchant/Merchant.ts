import type { Instant } from "../../foundation/time/Instant.ts"
import type { Settings } from "./Settings.ts"

export type EnvironmentKind = "live" | "test"
export type MerchantStatus = "ACTIVE" | "SUSPENDED"

/** A customer of the service, made by its operator. */
export interface Merchant {
  readonly id: string
  readonly name: string
  readonly status: MerchantStatus
  readonly createdAt: Instant
}

export type CredentialKind = "SERVER" | "PUBLIC"

/**
 * The scopes of a server key: `auth` verifies people, `leads` reads the inbox, `dashboard` configures the environment.
 */
export type KeyScope = "auth" | "leads" | "dashboard"
export const keyScopes: ReadonlyArray<KeyScope> = ["auth", "leads", "dashboard"]

/** A replaced client secret. It works until that instant. */
export interface ReplacedSecret {
  readonly hash: string
  readonly until: Instant
}

/**
 * A key of an environment. Client secrets are stored as SHA-256 in hex, which suffices because they are random and only
 * compared.
 */
export interface Credential {
  /** The client id (`cs_live_…`) or the public key (`pk_live_…`). */
  readonly id: string
  readonly kind: CredentialKind
  readonly environment: string
  /** Its scopes; a public key has none. */
  readonly scopes: ReadonlyArray<KeyScope>
  /** The display name. */
  readonly name: string | null
  /** The newest client secret; a public key has none. */
  readonly secretHash: string | null
  /** The earlier secrets, newest first. */
  readonly replaced: ReadonlyArray<ReplacedSecret>
  readonly createdAt: Instant
  /** The hour of its last use; null when it was never used. */
  readonly lastUsedAt: Instant | null
  /** From this instant it opens nothing. Its id stays taken, so that no configuration brings it back. */
  readonly revokedAt: Instant | null
}

/** One of a merchant's two isolated environments. `settings` holds only values that differ from the defaults. */
export interface Environment {
  readonly id: string
  readonly merchantId: string
  readonly kind: EnvironmentKind
  readonly settings: Partial<Settings>
  readonly settingsVersion: number
}

/** The owner of a credential, read atomically. */
export interface Access {
  readonly credential: Credential
  readonly environment: Environment
  readonly merchant: Merchant
}
