import { Context, type Effect } from "effect"
import type { Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Access, Credential, Environment, Merchant } from "./Merchant.ts"
import type { Settings } from "./Settings.ts"

/** Merchants, their environments and their keys. */
export class MerchantStore extends Context.Service<
  MerchantStore,
  {
    /** Commits all of it or nothing. Fails with `Conflict` when a credential or the merchant exists already. */
    readonly create: (merchant: Outgoing & MerchantStore.Record) => Effect.Effect<void, Conflict | StoreError>
    /**
     * The owner of a client id or public key; null when it is unknown. A revoked key is returned, marked as revoked.
     */
    readonly access: (credentialId: string) => Effect.Effect<Access | null, StoreError>
    /** An environment with its merchant; null when it does not exist. */
    readonly environment: (id: string) => Effect.Effect<Omit<Access, "credential"> | null, StoreError>
    readonly get: (id: string) => Effect.Effect<MerchantStore.Record | null, StoreError>
    /** By id, and so by age. */
    readonly list: (page: {
      readonly after: string | null
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Merchant>, StoreError>
    /**
     * Changes a merchant's name and status, with all effects. Fails with `Conflict` when the stored state differs from
     * the one that was read.
     */
    readonly change: (change: MerchantStore.Change) => Effect.Effect<void, Conflict | StoreError>
    /** Replaces an environment's settings, with all effects. Fails with `Conflict` at another version. */
    readonly saveSettings: (change: MerchantStore.SettingsChange) => Effect.Effect<void, Conflict | StoreError>
  }
>()("@countersign/core/merchant/MerchantStore") {}

export declare namespace MerchantStore {
  export interface Record {
    readonly merchant: Merchant
    readonly environments: ReadonlyArray<Environment>
    readonly credentials: ReadonlyArray<Credential>
  }

  /** A merchant's next state, with the state that the decision used. */
  export type Change = Outgoing & { readonly from: Merchant; readonly to: Merchant }

  /** An environment's next settings: all that differ from the defaults, with the version that was read. */
  export type SettingsChange = Outgoing & {
    readonly environment: string
    readonly version: number
    readonly settings: Partial<Settings>
  }
}
