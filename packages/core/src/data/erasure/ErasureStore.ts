import { Context, type Effect } from "effect"
import type { Event } from "../../foundation/event/Event.ts"
import type { Lead } from "../../engagement/lead/Lead.ts"
import type { LeadMessage } from "../../engagement/lead/LeadMessage.ts"
import { noRecords, type Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Subject } from "../../auth/verification/Subject.ts"
import type { Erasure } from "./Erasure.ts"

/**
 * Removes data that other stores keep: for erased people, and after the retention period. It checks the versions that
 * those stores use, so no concurrent write brings a row back.
 */
export class ErasureStore extends Context.Service<
  ErasureStore,
  {
    readonly get: (environment: string, id: string) => Effect.Effect<Erasure | null, StoreError>
    /**
     * Commits all of it or nothing. Fails with `Conflict` when the erasure, a subject, the lead or a message is not at
     * the version that the change carries. A removed verification or lead also loses its attribution: its touch and the
     * facts that would become one. Returns the erasure as stored.
     */
    readonly commit: (change: ErasureStore.Change) => Effect.Effect<Erasure | null, Conflict | StoreError>
    /** The erasures of an environment that began at a moment or later. */
    readonly since: (environment: string, at: Instant) => Effect.Effect<ReadonlyArray<Erasure>, StoreError>
    /** Rows of a lead's conversation that are not messages, by id. With null, rows that belong to no lead. */
    readonly amending: (
      environment: string,
      leadId: number | null,
      after: string | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<LeadMessage>, StoreError>
    /** Stored answers by endpoint and key. */
    readonly answers: (
      environment: string,
      after: ErasureStore.AnswerKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ErasureStore.SealedAnswer>, StoreError>
    /** The environments with verifications, events or webhook deliveries, by id. */
    readonly environments: Effect.Effect<ReadonlyArray<string>, StoreError>
    /** Verifications from before a moment, earliest first. */
    readonly old: (
      environment: string,
      before: Instant,
      after: string | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ErasureStore.GoneVerification>, StoreError>
    /** All people in every environment, in that order. */
    readonly people: (
      after: ErasureStore.PersonKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ErasureStore.Person>, StoreError>
    /** Deletes events and delivery log entries from before a moment: at most `limit` of each. */
    readonly forget: (environment: string, before: Instant, limit: number) => Effect.Effect<number, StoreError>
  }
>()("@countersign/core/erasure/ErasureStore") {
  /** A step, from its parts that are not empty. */
  static readonly change = (
    environment: string,
    parts: Partial<Omit<ErasureStore.Change, "environment">>
  ): ErasureStore.Change => ({
    ...noRecords,
    erasure: null,
    people: [],
    verifications: [],
    lead: null,
    messages: [],
    silenced: [],
    answers: [],
    cancelled: [],
    ...parts,
    environment
  })
}

export declare namespace ErasureStore {
  /**
   * The next state of a person at the version that was loaded, or the deletion of their row. `made` writes a row
   * without a version check, above the given version and above that of an existing row.
   */
  export interface PersonStep {
    readonly subject: Subject
    readonly becomes: "kept" | "gone" | "made"
    /** Removes every device ever recorded as theirs. */
    readonly devices: "kept" | "gone"
  }

  /** A verification to delete, with the references that lead to it. Its subject's version guards it. */
  export interface GoneVerification {
    readonly id: string
    readonly orderIds: ReadonlyArray<string>
  }

  /** An answer stored for repeats of a request. */
  export interface AnswerKey {
    readonly endpoint: string
    readonly key: string
  }

  /** The removals of a step. All are in one environment. */
  export interface Parts {
    readonly environment: string
    /** The erasure of the step, in its next state; null for retention. */
    readonly erasure: Erasure | null
    readonly people: ReadonlyArray<PersonStep>
    readonly verifications: ReadonlyArray<GoneVerification>
    /** A conversation at the version that was loaded. When it is deleted, its history and words go too. */
    readonly lead: { readonly lead: Lead; readonly becomes: "kept" | "gone" } | null
    /** Rows of conversations, each at the version that was loaded. */
    readonly messages: ReadonlyArray<Pick<LeadMessage, "id" | "version">>
    /** Events with reduced content. Their delivery log loses the responses of receivers. */
    readonly silenced: ReadonlyArray<Event>
    readonly answers: ReadonlyArray<AnswerKey>
    /** Jobs that are no longer needed, by key, even if a worker holds them. */
    readonly cancelled: ReadonlyArray<string>
  }

  export type Change = Outgoing & Parts

  /** The position of a person's row among all rows. */
  export interface PersonKey {
    readonly environment: string
    readonly canonical: string
  }

  /** A person's row. Its content is present only when the person has no verification left; otherwise null. */
  export interface Person extends PersonKey {
    readonly subject: Subject | null
  }

  /** A stored answer: sealed, or null while its request runs. */
  export interface SealedAnswer extends AnswerKey {
    readonly body: string | null
  }
}
