import { Context, type Effect } from "effect"
import type { Sender } from "../../foundation/delivery/Inbound.ts"
import { noRecords, type Outgoing } from "../../foundation/outbox/Change.ts"
import type { Agent } from "../../auth/staff/Agent.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"
import type { Lead, LeadEntry, LeadStatus } from "./Lead.ts"
import type { LeadRead } from "./LeadRead.ts"
import type { LeadMessage } from "./LeadMessage.ts"

/** Stores conversations: leads, their messages and their history. */
export class LeadStore extends Context.Service<
  LeadStore,
  {
    /**
     * Writes all of it or nothing, and returns the stored states. Fails with `Conflict` when a stored version differs
     * from the version in the change. Also when a new row violates a unique value, or when an agent in `active` is not
     * active.
     */
    readonly commit: (change: LeadStore.Change) => Effect.Effect<LeadStore.Parts, Conflict | StoreError>
    /** The next number of a count from 1. Numbers may be skipped but are never reused. */
    readonly next: (scope: string, count: string) => Effect.Effect<number, StoreError>
    /**
     * Finds a customer's lead by number, otherwise by the provider's id. Also returns which of these messages are
     * already stored.
     */
    readonly known: (
      environment: string,
      sender: Pick<Sender, "phone" | "userId">,
      providerIds: ReadonlyArray<string>
    ) => Effect.Effect<LeadStore.Known, StoreError>
    readonly get: (environment: string, id: number) => Effect.Effect<Lead | null, StoreError>
    /** The number of open leads of each agent in an environment. Counts up to `most`. */
    readonly openLeads: (
      environment: string,
      agentIds: ReadonlyArray<number>,
      most: number
    ) => Effect.Effect<ReadonlyMap<number, number>, StoreError>
    /** An agent's leads in these environments, open or closed, in any order. */
    readonly ownedBy: (
      environments: ReadonlyArray<string>,
      agentId: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Lead>, StoreError>
    /** A page by offset, most recently active first; leads without messages come last. */
    readonly page: (
      filter: LeadStore.Filter,
      page: { readonly offset: number; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Lead>, StoreError>
    /** The leads after a position in the same order; from the start when it is null. */
    readonly after: (
      filter: LeadStore.Filter,
      place: LeadStore.Cursor | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Lead>, StoreError>
    /**
     * Leads by the time from which they wait, earliest first, then by id: after a position, or from the start when it is
     * null. See `waitsFrom`.
     */
    readonly waiting: (
      filter: LeadStore.WaitingFilter,
      place: LeadStore.Place | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Lead>, StoreError>
    /** How many leads of an environment wait at `now`, counted up to `most`, and since when the first one does. */
    readonly countWaiting: (
      environment: string,
      now: Instant,
      most: number
    ) => Effect.Effect<{ readonly count: number; readonly since: Instant | null }, StoreError>
    /** Leads with a later last message than `at`, or the same time and a greater id. Earliest first. */
    readonly movedSince: (
      filter: LeadStore.Filter,
      place: LeadStore.Place,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Lead>, StoreError>
    /**
     * Leads whose number ends with these digits, or whose name has, for each word, a word that starts with it. `words`
     * are in the form of `searchWords`; an empty list matches nothing. Returns an arbitrary selection when there are
     * more than `limit`. When several words each match more than ten thousand name words, some leads may be missing.
     */
    readonly search: (
      environment: string,
      what: { readonly phoneEnd: string } | { readonly words: ReadonlyArray<string> },
      limit: number
    ) => Effect.Effect<ReadonlyArray<Lead>, StoreError>
    /** How far an agent has read these leads. Omits leads that they have not read. */
    readonly reads: (
      environment: string,
      agentId: number,
      leadIds: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<LeadRead>, StoreError>
    /**
     * Saves how far an agent has read a lead, replacing the earlier row. The last save wins. Saves nothing for a lead
     * that does not exist. Erasing a lead removes its rows.
     */
    readonly saveRead: (read: LeadRead) => Effect.Effect<void, StoreError>
    /** Removes at most `limit` rows of an agent from these environments. Returns how many it removed. */
    readonly forgetReads: (
      environments: ReadonlyArray<string>,
      agentId: number,
      limit: number
    ) => Effect.Effect<number, StoreError>
    /**
     * Changes of the last seconds: each committed lead and message, and each read mark, by the storage's clock. So a
     * change is there for a while after its commit, whatever the clocks of processes say. Also the leads whose wait
     * began in the seconds before `now`, such as at the end of a snooze. The newest ones if there are very many.
     */
    readonly changes: (environment: string, now: Instant) => Effect.Effect<ReadonlyArray<LeadStore.Noticed>, StoreError>
    /** Deletes what `changes` no longer returns. */
    readonly purgeChanges: Effect.Effect<void, StoreError>
    /** One row of a conversation by its id. */
    readonly message: (environment: string, id: string) => Effect.Effect<LeadMessage | null, StoreError>
    /** A page of a conversation without amendments, newest first: by `at`, then by id. */
    readonly messages: (
      lead: Pick<Lead, "environment" | "id">,
      after: { readonly at: Instant; readonly id: string } | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<LeadMessage>, StoreError>
    /**
     * The latest message or note of each of these leads, and the amendments of those messages, with the limits of
     * `amendments`. In any order.
     */
    readonly latest: (
      environment: string,
      leadIds: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<LeadMessage>, StoreError>
    /**
     * The amendments of these messages, by the provider's ids. Per kind, at most the latest ten of the lead and the
     * latest ten without a lead. The limit exists because a customer may amend one message thousands of times.
     */
    readonly amendments: (
      lead: Pick<Lead, "environment" | "id">,
      providerIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<LeadMessage>, StoreError>
    /** A page of a lead's history, newest first. */
    readonly history: (
      lead: Pick<Lead, "environment" | "id">,
      before: number | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<LeadEntry>, StoreError>
  }
>()("@countersign/core/lead/LeadStore") {
  /** Builds a change from its non-empty parts. */
  static readonly change = (parts: Partial<LeadStore.Change>): LeadStore.Change => ({
    ...noRecords,
    leads: [],
    messages: [],
    entries: [],
    active: [],
    ...parts
  })
}

/** For how long `changes` returns a change: longer than a commit takes to become visible. */
export const noticedFor = seconds(10)
/** The most changes that `changes` returns. */
export const mostNoticed = 1_000

export declare namespace LeadStore {
  /** The next states of everything that one inbox decision changes, each with the version it was read at. */
  export interface Parts {
    readonly leads: ReadonlyArray<Lead>
    readonly messages: ReadonlyArray<LeadMessage>
  }

  export type Change = Outgoing &
    Parts & {
      readonly entries: ReadonlyArray<LeadEntry>
      /** Agents who must be active at the commit, because it assigns leads to them. */
      readonly active: ReadonlyArray<Pick<Agent, "id" | "merchantId">>
    }

  /** A customer's lead, and which of their messages are already stored. */
  export interface Known {
    readonly lead: Lead | null
    /** The provider's ids. */
    readonly kept: ReadonlySet<string>
  }

  /** A change of a lead or of its conversation. */
  export interface Noticed {
    /** Unique in an environment. */
    readonly id: string
    readonly leadId: number
    /** The only agent whom it concerns; null for all. */
    readonly agentId: number | null
  }

  /** Filters of a lead list. A lead must match all of them. */
  export interface Filter {
    readonly environment: string
    /** E.164 digits. */
    readonly phone?: string
    /** An agent's id; null for unassigned leads. */
    readonly assignedTo?: number | null
    readonly status?: LeadStatus
    readonly teamId?: number
    /** The id of a label. */
    readonly label?: string
  }

  /** Filters of the waiting leads, which are all open. */
  export type WaitingFilter = Pick<Filter, "assignedTo" | "environment" | "label" | "teamId"> & {
    /** Only leads that wait at this time. `Infinity` adds all snoozed leads. */
    readonly until: Instant
  }

  /** A position in a list that is ordered by time, then by id, both ascending. */
  export interface Place {
    readonly at: Instant
    readonly id: number
  }

  /** A list position. Leads after it come by latest message, then by id, both descending. */
  export interface Cursor {
    /** Null for leads without messages, which come last. */
    readonly at: Instant | null
    readonly id: number
  }
}
