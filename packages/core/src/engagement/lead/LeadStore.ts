import { Context, type Effect } from "effect"
import type { Sender } from "../../foundation/delivery/Inbound.ts"
import { leavesNothing, type Outgoing } from "../../foundation/outbox/Change.ts"
import type { Agent } from "../../auth/person/Agent.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Lead, LeadEntry, LeadStatus } from "./Lead.ts"
import type { LeadMessage } from "./LeadMessage.ts"

/** Conversations: leads, their messages and history. */
export class LeadStore extends Context.Service<
  LeadStore,
  {
    /**
     * Writes all of it or nothing, and answers the states as they are stored now. `Conflict` when one of them is not
     * at the version that the change carries, when a new one shares with another what none may share, or when an agent
     * of `active` is not.
     */
    readonly commit: (change: LeadStore.Change) => Effect.Effect<LeadStore.Parts, Conflict | StoreError>
    /** The next number of a count that begins with 1. One that is not used is left out; none is given twice. */
    readonly next: (scope: string, count: string) => Effect.Effect<number, StoreError>
    /** The lead of a customer, by the number or else by the provider's id of them. */
    readonly known: (
      environment: string,
      sender: Pick<Sender, "phone" | "userId">,
      providerIds: ReadonlyArray<string>
    ) => Effect.Effect<LeadStore.Known, StoreError>
    readonly get: (environment: string, id: number) => Effect.Effect<Lead | null, StoreError>
    /** How many open leads of an environment each of these agents owns, counted up to `most`. */
    readonly openLeads: (
      environment: string,
      agentIds: ReadonlyArray<number>,
      most: number
    ) => Effect.Effect<ReadonlyMap<number, number>, StoreError>
    /** Leads that the agent owns in these environments, open or closed, in any order. */
    readonly ownedBy: (
      environments: ReadonlyArray<string>,
      agentId: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Lead>, StoreError>
    /** One page by number, the most recently active first; leads without a message last. */
    readonly page: (
      filter: LeadStore.Filter,
      page: { readonly offset: number; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Lead>, StoreError>
    /** What follows a place in the same order; from the head with null. */
    readonly after: (
      filter: LeadStore.Filter,
      place: LeadStore.Cursor | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Lead>, StoreError>
    /** Leads with a message later than an instant or, at that instant, a greater id: the earliest first. */
    readonly movedSince: (
      filter: LeadStore.Filter,
      place: { readonly at: Instant; readonly id: number },
      limit: number
    ) => Effect.Effect<ReadonlyArray<Lead>, StoreError>
    /**
     * Leads whose number ends with these digits, or of whose name every one of these words begins a word. `words` are
     * in the form of `searchWords`; none begin no word. At most `limit`, which ones is not said when there are more.
     * Where each of several words begins more than ten thousand words of names, some leads that have all may be left out.
     */
    readonly search: (
      environment: string,
      what: { readonly phoneEnd: string } | { readonly words: ReadonlyArray<string> },
      limit: number
    ) => Effect.Effect<ReadonlyArray<Lead>, StoreError>
    /** One row of a conversation, by our name of it. */
    readonly message: (environment: string, id: string) => Effect.Effect<LeadMessage | null, StoreError>
    /** A page of a conversation without its amendments, newest first: by `at`, then by id. */
    readonly messages: (
      lead: Pick<Lead, "environment" | "id">,
      after: { readonly at: Instant; readonly id: string } | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<LeadMessage>, StoreError>
    /**
     * What was done to these messages of a lead, by the provider's names: of each kind the latest ten that are the
     * lead's, and the latest ten that are nobody's. A customer may do ten thousand things to one message.
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
  /** A change, from the parts of it that are not empty. */
  static readonly change = (parts: Partial<LeadStore.Change>): LeadStore.Change => ({
    ...leavesNothing,
    leads: [],
    messages: [],
    entries: [],
    active: [],
    ...parts
  })
}

export declare namespace LeadStore {
  /** The next states of everything that one decision about the inbox touches, each with the version it was read at. */
  export interface Parts {
    readonly leads: ReadonlyArray<Lead>
    readonly messages: ReadonlyArray<LeadMessage>
  }

  export type Change = Outgoing &
    Parts & {
      readonly entries: ReadonlyArray<LeadEntry>
      /** Agents who have to be active in the moment this is written, because leads are given to them. */
      readonly active: ReadonlyArray<Pick<Agent, "id" | "merchantId">>
    }

  /** A customer as they wrote to us: their lead, and which of the messages are kept already. */
  export interface Known {
    readonly lead: Lead | null
    /** By the provider's names. */
    readonly kept: ReadonlySet<string>
  }

  /** Which leads of an environment a list is of. All that is given must hold. */
  export interface Filter {
    readonly environment: string
    /** E.164 digits. */
    readonly phone?: string
    /** An agent's id; null for leads that nobody owns. */
    readonly assignedTo?: number | null
    readonly status?: LeadStatus
    readonly teamId?: number
  }

  /** A place in a list: leads after it, by the latest message and then by id, both downwards. */
  export interface Cursor {
    /** Null among the leads without any message, which come last. */
    readonly at: Instant | null
    readonly id: number
  }
}
