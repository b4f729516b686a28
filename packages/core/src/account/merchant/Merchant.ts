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

/** What a server key may call: `auth` verifies people, `leads` reads the inbox, `dashboard` arranges the environment. */
export type KeyScope = "auth" | "leads" | "dashboard"
export const keyScopes: ReadonlyArray<KeyScope> = ["auth", "leads", "dashboard"]

/** A client secret that a newer one has replaced. It works until that instant, and never again. */
export interface ReplacedSecret {
  readonly hash: string
  readonly until: Instant
}

/** A key that opens one environment. Client secrets are kept as SHA-256 in hex: they are random, and only compared. */
export interface Credential {
  /** The client id (`cs_live_…`) or the public key (`pk_live_…`). */
  readonly id: string
  readonly kind: CredentialKind
  readonly environment: string
  /** What it may call; a public key has none. */
  readonly scopes: ReadonlyArray<KeyScope>
  /** What people call it. */
  readonly name: string | null
  /** The newest client secret; a public key has none. */
  readonly secretHash: string | null
  /** The secrets before it, newest first. */
  readonly replaced: ReadonlyArray<ReplacedSecret>
  readonly createdAt: Instant
  /** The hour of its last use; null when it was never used. */
  readonly lastUsedAt: Instant | null
  /** From then on it opens nothing. Its id stays taken, so that no configuration brings it back. */
  readonly revokedAt: Instant | null
}

/** One of a merchant's two isolated worlds. `settings` holds only what was changed from the defaults. */
export interface Environment {
  readonly id: string
  readonly merchantId: string
  readonly kind: EnvironmentKind
  readonly settings: Partial<Settings>
  readonly settingsVersion: number
}

/** What a credential opens, read in one piece. */
export interface Access {
  readonly credential: Credential
  readonly environment: Environment
  readonly merchant: Merchant
}
