import { Context, type Effect } from "effect"
import type { Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Passkey } from "./Passkey.ts"

/** The passkeys of the people who sign in. */
export class PasskeyStore extends Context.Service<
  PasskeyStore,
  {
    /** Finds a passkey by the authenticator's id. Removed passkeys are included, and marked as removed. */
    readonly get: (id: string) => Effect.Effect<Passkey | null, StoreError>
    /** A person's passkeys without removed ones, oldest first. */
    readonly list: (canonical: string) => Effect.Effect<ReadonlyArray<Passkey>, StoreError>
    /**
     * Writes the next state and returns it as stored. Of several commits from the same version one succeeds, and the
     * others fail with `Conflict`. A new passkey with an existing id also fails with `Conflict`.
     */
    readonly commit: (change: PasskeyStore.Change) => Effect.Effect<Passkey, Conflict | StoreError>
  }
>()("@countersign/core/person/PasskeyStore") {}

export declare namespace PasskeyStore {
  export type Change = Outgoing & { readonly passkey: Passkey }
}
