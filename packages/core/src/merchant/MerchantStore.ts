import { Context, type Effect } from "effect"
import type { Conflict } from "../storage/Conflict.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { Access, Credential, Environment, Merchant, MerchantStatus } from "./Merchant.ts"
import type { Settings } from "./Settings.ts"

export interface NewMerchant {
  readonly merchant: Merchant
  readonly environments: ReadonlyArray<Environment>
  readonly credentials: ReadonlyArray<Credential>
}

export interface MerchantRecord {
  readonly merchant: Merchant
  readonly environments: ReadonlyArray<Environment>
  readonly credentials: ReadonlyArray<Credential>
}

/** Merchants, their environments and their keys. */
export class MerchantStore extends Context.Service<
  MerchantStore,
  {
    /** All of it or nothing. `Conflict` when a credential or the merchant exists already. */
    readonly create: (merchant: NewMerchant) => Effect.Effect<void, Conflict | StoreError>
    /** Whose a client id or public key is; null when nobody has it. A revoked one is found, and says so. */
    readonly access: (credentialId: string) => Effect.Effect<Access | null, StoreError>
    /** An environment with its merchant; null when there is none. */
    readonly environment: (id: string) => Effect.Effect<Omit<Access, "credential"> | null, StoreError>
    readonly get: (id: string) => Effect.Effect<MerchantRecord | null, StoreError>
    /** By id, which is by age. */
    readonly list: (page: {
      readonly after: string | null
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Merchant>, StoreError>
    /** False when there is no such merchant. */
    readonly setStatus: (id: string, status: MerchantStatus) => Effect.Effect<boolean, StoreError>
    /** Replaces an environment's changed settings, if they still have the version that was read. */
    readonly saveSettings: (
      environment: string,
      version: number,
      settings: Partial<Settings>
    ) => Effect.Effect<void, Conflict | StoreError>
  }
>()("@countersign/core/merchant/MerchantStore") {}
