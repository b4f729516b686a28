import type { Instant } from "../time/Instant.ts"
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

/** A key that opens one environment. */
export interface Credential {
  /** The client id (`cs_live_…`) or the public key (`pk_live_…`). */
  readonly id: string
  readonly kind: CredentialKind
  readonly environment: string
  /** SHA-256 of the client secret, in hex; a public key has none. */
  readonly secretHash: string | null
  readonly createdAt: Instant
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
