import { Context, type Effect } from "effect"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { VerificationChange } from "./VerificationChange.ts"
import type { Subject } from "./Subject.ts"
import type { Searched, SearchPage } from "./VerificationSearch.ts"
import type { Verification } from "./Verification.ts"

/**
 * Stores subjects and verifications. It loads and commits; it never decides.
 *
 * Every lookup names the environment. Data of other environments is invisible.
 */
export class VerificationStore extends Context.Service<
  VerificationStore,
  {
    /**
     * Returns a person's state, or the empty state at version 0 for an unknown person. The empty state has
     * `mayBeErased` if the environment has a row that begins with `keptMark`.
     */
    readonly subject: (environment: string, canonical: string) => Effect.Effect<Subject, StoreError>
    /** Loads a verification with its person, as a command needs for its decision. */
    readonly load: (environment: string, id: string) => Effect.Effect<VerificationStore.Loaded | null, StoreError>
    /** Returns the verification alone, to read it. */
    readonly find: (environment: string, id: string) => Effect.Effect<Verification | null, StoreError>
    /** Returns the verification of the backend's latest initiate with this reference. */
    readonly findIdByOrder: (environment: string, orderId: string) => Effect.Effect<string | null, StoreError>
    /**
     * Returns verifications that expired after the cursor and up to `until` and were not announced, ordered by expiry.
     * Covers every environment: only the service itself calls it.
     */
    readonly expired: (
      page: VerificationStore.ExpiredPage
    ) => Effect.Effect<ReadonlyArray<VerificationStore.Expired>, StoreError>
    /**
     * Returns an environment's verifications that match a filter, newest first. Reads at most `most` of them, and
     * returns where to continue.
     */
    readonly search: (page: SearchPage) => Effect.Effect<Searched, StoreError>
    /** Returns an environment's verifications with ids between two others, oldest first. */
    readonly between: (
      environment: string,
      page: { readonly after: string; readonly before: string; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Verification>, StoreError>
    /** Returns every verification of a person, oldest first. `after` is the last id of the previous page. */
    readonly ofPerson: (
      environment: string,
      canonical: string,
      page: { readonly after: string | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Verification>, StoreError>
    /**
     * Returns the newest verification of each person whose phone number ends with these four digits, if its id is at or
     * above `since`. Newest first. Examines at most a thousand people.
     */
    readonly endingWith: (
      environment: string,
      digits: string,
      page: { readonly since: string; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Verification>, StoreError>
    /** Returns the canonical identity of the person who owns or owned this device. */
    readonly findByDevice: (environment: string, deviceId: string) => Effect.Effect<string | null, StoreError>
    /**
     * Writes all of the change or nothing. The change is durable when this returns. Of 200 commits decided on one
     * version of a subject, one succeeds. The other 199 fail with `Conflict` and leave nothing behind. Returns what is
     * stored now.
     */
    readonly commit: (change: VerificationChange) => Effect.Effect<VerificationStore.Stored, Conflict | StoreError>
  }
>()("@countersign/core/verification/VerificationStore") {}

export declare namespace VerificationStore {
  /** The result of a commit: a person at their new version, and the verification written with them. */
  export interface Stored {
    readonly subject: Subject
    readonly verification: Verification | null
  }

  /** A verification with its person, both read at the same instant. */
  export interface Loaded extends Stored {
    readonly verification: Verification
  }

  /** A verification that has expired. */
  export interface Expired {
    readonly environment: string
    readonly id: string
    readonly expiresAt: Instant
  }

  export interface ExpiredPage {
    /** Begin after this time, or after this verification that expires at it. */
    readonly after: { readonly expiresAt: Instant; readonly id: string }
    readonly until: Instant
    readonly limit: number
  }
}
