import { Context, type Effect } from "effect"
import type { Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Passkey } from "./Passkey.ts"

/** The passkeys of the people who sign in. */
export class PasskeyStore extends Context.Service<
  PasskeyStore,
  {
    /** By the authenticator's name of it; removed ones are found, and say so. */
    readonly get: (id: string) => Effect.Effect<Passkey | null, StoreError>
    /** Those of a person that were not removed, the oldest first. */
    readonly list: (canonical: string) => Effect.Effect<ReadonlyArray<Passkey>, StoreError>
    /**
     * Writes the next state, and answers it as it is stored. Of many commits made from one version one succeeds, and
     * the others answer `Conflict`; so does a new one whose id exists.
     */
    readonly commit: (change: PasskeyStore.Change) => Effect.Effect<Passkey, Conflict | StoreError>
  }
>()("@countersign/core/person/PasskeyStore") {}

export declare namespace PasskeyStore {
  export type Change = Outgoing & { readonly passkey: Passkey }
}
