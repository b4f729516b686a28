import { Context, type Effect } from "effect"
import type { Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Opening } from "./Opening.ts"

/** How providers of OpenID Connect know the people who sign in. */
export class SubjectStore extends Context.Service<
  SubjectStore,
  {
    readonly get: (issuer: string, subject: string) => Effect.Effect<SubjectStore.KnownSubject | null, StoreError>
    /** Those that have this address among theirs, in any order. */
    readonly list: (canonical: string) => Effect.Effect<ReadonlyArray<SubjectStore.KnownSubject>, StoreError>
    /**
     * Writes the next state, and answers it as it is stored. Of many commits made from one version one succeeds, and the
     * others answer `Conflict`.
     */
    readonly commit: (change: SubjectStore.Change) => Effect.Effect<SubjectStore.KnownSubject, Conflict | StoreError>
  }
>()("@countersign/core/person/SubjectStore") {}

export declare namespace SubjectStore {
  /** A person as a provider knows them. It belongs to the agents that it opens, each in one era, and not to an address. */
  export interface KnownSubject {
    readonly issuer: string
    readonly subject: string
    /** The version this state was read at; 0 for one that was never saved. */
    readonly version: number
    /** The last address that the provider has verified, in the one form of all its spellings. */
    readonly canonical: string
    /** The addresses of the agents that it opens, and `canonical`. */
    readonly addresses: ReadonlyArray<string>
    /** The agents that it signs in. */
    readonly opens: ReadonlyArray<Opening>
    readonly knownSince: Instant
  }

  export type Change = Outgoing & { readonly subject: KnownSubject }
}
