import { Context, type Effect } from "effect"
import type { Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Opening } from "./Opening.ts"

/** The identities of people at OpenID Connect providers. */
export class SubjectStore extends Context.Service<
  SubjectStore,
  {
    readonly get: (issuer: string, subject: string) => Effect.Effect<SubjectStore.KnownSubject | null, StoreError>
    /** Subjects that include this address, in any order. */
    readonly list: (canonical: string) => Effect.Effect<ReadonlyArray<SubjectStore.KnownSubject>, StoreError>
    /**
     * Writes the next state and returns it as stored. Of several commits from the same version one succeeds, and the
     * others fail with `Conflict`.
     */
    readonly commit: (change: SubjectStore.Change) => Effect.Effect<SubjectStore.KnownSubject, Conflict | StoreError>
  }
>()("@countersign/core/person/SubjectStore") {}

export declare namespace SubjectStore {
  /**
   * A person's identity at a provider. It belongs to the agents that it opens, each in one era, and not to an address.
   */
  export interface KnownSubject {
    readonly issuer: string
    readonly subject: string
    /** The version this state was read at; 0 before the first save. */
    readonly version: number
    /** The canonical form of the last address that the provider verified. */
    readonly canonical: string
    /** The addresses of the agents that it opens, and `canonical`. */
    readonly addresses: ReadonlyArray<string>
    /** The agents that it signs in. */
    readonly opens: ReadonlyArray<Opening>
    readonly knownSince: Instant
  }

  export type Change = Outgoing & { readonly subject: KnownSubject }
}
