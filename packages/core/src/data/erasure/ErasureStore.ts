import { Context, type Effect } from "effect"
import type { Event } from "../../foundation/event/Event.ts"
import type { Lead } from "../../engagement/lead/Lead.ts"
import type { LeadMessage } from "../../engagement/lead/LeadMessage.ts"
import { leavesNothing, type Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Subject } from "../../auth/verification/Subject.ts"
import type { Erasure } from "./Erasure.ts"

/**
 * Takes away what other stores keep: for a person who wants to be forgotten, and what is too old. It goes through all of
 * their rows, at the versions by which those stores guard them, so nothing that is under way brings a row back.
 */
export class ErasureStore extends Context.Service<
  ErasureStore,
  {
    readonly get: (environment: string, id: string) => Effect.Effect<Erasure | null, StoreError>
    /**
     * All of it or nothing. `Conflict` when the erasure, a subject, the lead or a message is not at the version that the
     * change carries. What counted for a verification or a lead that goes is not counted as theirs any more: its touch
     * goes, and the facts that would become one. Answers the erasure as it is stored now.
     */
    readonly commit: (change: ErasureStore.Change) => Effect.Effect<Erasure | null, Conflict | StoreError>
    /** The erasures of an environment that were begun at a moment or later. */
    readonly since: (environment: string, at: Instant) => Effect.Effect<ReadonlyArray<Erasure>, StoreError>
    /** Rows of a lead's conversation that are no messages, by id; with null, those that belong to no lead. */
    readonly amending: (
      environment: string,
      leadId: number | null,
      after: string | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<LeadMessage>, StoreError>
    /** Kept answers by endpoint and key. */
    readonly answers: (
      environment: string,
      after: ErasureStore.AnswerKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ErasureStore.SealedAnswer>, StoreError>
    /** The environments that have verifications, events or deliveries of webhooks, by id. */
    readonly environments: Effect.Effect<ReadonlyArray<string>, StoreError>
    /** Verifications from before a moment, the earliest first. */
    readonly old: (
      environment: string,
      before: Instant,
      after: string | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ErasureStore.GoneVerification>, StoreError>
    /** Everybody in every environment, in that order. */
    readonly people: (
      after: ErasureStore.PersonKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ErasureStore.Person>, StoreError>
    /** Forgets events from before a moment, and what is in the log of deliveries from before it: at most `limit` of each. */
    readonly forget: (environment: string, before: Instant, limit: number) => Effect.Effect<number, StoreError>
  }
>()("@countersign/core/erasure/ErasureStore") {
  /** A step, from the parts of it that are not empty. */
  static readonly change = (
    environment: string,
    parts: Partial<Omit<ErasureStore.Change, "environment">>
  ): ErasureStore.Change => ({
    ...leavesNothing,
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
   * What becomes of a person at the version that was loaded: the state given, or their row is gone. `made` writes a row that
   * no version guards, above the version given and above that of a row that is there.
   */
  export interface PersonStep {
    readonly subject: Subject
    readonly becomes: "kept" | "gone" | "made"
    /** Every device that was ever known as theirs is found no more. */
    readonly devices: "kept" | "gone"
  }

  /** A verification that goes, with the references that lead to it. Its subject's version guards it. */
  export interface GoneVerification {
    readonly id: string
    readonly orderIds: ReadonlyArray<string>
  }

  /** An answer that is kept for the repeat of a request. */
  export interface AnswerKey {
    readonly endpoint: string
    readonly key: string
  }

  /** What a step removes. Everything of it is in one environment. */
  export interface Parts {
    readonly environment: string
    /** The wish that the step belongs to, in its next state; null for retention. */
    readonly erasure: Erasure | null
    readonly people: ReadonlyArray<PersonStep>
    readonly verifications: ReadonlyArray<GoneVerification>
    /** A conversation at the version that was loaded, with its history and words if it is gone. */
    readonly lead: { readonly lead: Lead; readonly becomes: "kept" | "gone" } | null
    /** Rows of conversations, each at the version that was loaded. */
    readonly messages: ReadonlyArray<Pick<LeadMessage, "id" | "version">>
    /** Events that say less from now on. The log of their deliveries keeps nothing of what receivers answered. */
    readonly silenced: ReadonlyArray<Event>
    readonly answers: ReadonlyArray<AnswerKey>
    /** Work that is of no use any more, by its key, whoever works on it. */
    readonly cancelled: ReadonlyArray<string>
  }

  export type Change = Outgoing & Parts

  /** Where a person's row is among all. */
  export interface PersonKey {
    readonly environment: string
    readonly canonical: string
  }

  /** A person's row, and what is in it if they have no verification any more; null for all others. */
  export interface Person extends PersonKey {
    readonly subject: Subject | null
  }

  /** An answer as it is kept: sealed, or null while its request runs. */
  export interface SealedAnswer extends AnswerKey {
    readonly body: string | null
  }
}
