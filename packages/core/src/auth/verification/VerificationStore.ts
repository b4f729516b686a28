import { Context, type Effect } from "effect"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { VerificationChange } from "./VerificationChange.ts"
import type { Subject } from "./Subject.ts"
import type { Searched, SearchPage } from "./VerificationSearch.ts"
import type { Verification } from "./Verification.ts"

/**
 * Subjects and verifications. It loads and commits; it never decides.
 *
 * Every lookup names the environment: what belongs to another one does not exist here.
 */
export class VerificationStore extends Context.Service<
  VerificationStore,
  {
    /**
     * A person's state; the empty one at version 0 when nobody saw them before, with `mayBeErased` where the environment has
     * a row that begins with `keptMark`.
     */
    readonly subject: (environment: string, canonical: string) => Effect.Effect<Subject, StoreError>
    /** What a command on a known verification needs to decide. */
    readonly load: (environment: string, id: string) => Effect.Effect<VerificationStore.Loaded | null, StoreError>
    /** The verification alone, to look at. */
    readonly find: (environment: string, id: string) => Effect.Effect<Verification | null, StoreError>
    /** The verification that the backend's latest initiate with this reference led to. */
    readonly findIdByOrder: (environment: string, orderId: string) => Effect.Effect<string | null, StoreError>
    /**
     * Verifications that await their expiry and whose time ended after the cursor and not after `until`, by that time.
     * Of every environment: this is for the service's own work, and no caller's.
     */
    readonly expired: (
      page: VerificationStore.ExpiredPage
    ) => Effect.Effect<ReadonlyArray<VerificationStore.Expired>, StoreError>
    /**
     * The verifications of an environment that a filter lets through, the newest first. It looks at no more than `most` of
     * them, and says where to go on.
     */
    readonly search: (page: SearchPage) => Effect.Effect<Searched, StoreError>
    /** Every verification of a person, the oldest first. `after` is the last id of the page before. */
    readonly ofPerson: (
      environment: string,
      canonical: string,
      page: { readonly after: string | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Verification>, StoreError>
    /** Whose device it is, or was: the person's canonical identity. */
    readonly findByDevice: (environment: string, deviceId: string) => Effect.Effect<string | null, StoreError>
    /**
     * All of the change or nothing, durable when it returns. Of 200 commits decided on one version of a subject, one
     * succeeds and 199 answer `Conflict` and leave nothing behind. Answers what is stored now.
     */
    readonly commit: (change: VerificationChange) => Effect.Effect<VerificationStore.Stored, Conflict | StoreError>
  }
>()("@countersign/core/verification/VerificationStore") {}

export declare namespace VerificationStore {
  /** What a commit has stored: a person, at the version they have now, and the verification that was written with them. */
  export interface Stored {
    readonly subject: Subject
    readonly verification: Verification | null
  }

  /** A verification with its person, both as they were at one instant. */
  export interface Loaded extends Stored {
    readonly verification: Verification
  }

  /** A verification whose time is over. */
  export interface Expired {
    readonly environment: string
    readonly id: string
    readonly expiresAt: Instant
  }

  export interface ExpiredPage {
    /** Begin after this moment, or after this verification of it. */
    readonly after: { readonly expiresAt: Instant; readonly id: string }
    readonly until: Instant
    readonly limit: number
  }
}
