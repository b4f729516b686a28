import { Context, type Effect } from "effect"
import type { MediaContent } from "../delivery/Account.ts"
import type { ChannelError } from "../delivery/ChannelError.ts"
import type { InvalidField } from "../identity/InvalidField.ts"
import type { Caller } from "../merchant/Caller.ts"
import type { Contended } from "../storage/Contended.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { LeadEntry } from "./Lead.ts"
import type { UnknownAgent, UnknownLead, UnknownMessage, UnknownTeam } from "./LeadError.ts"
import type { LeadView, MessageView, Part } from "./LeadView.ts"

/** Which page of the leads. A null field is an absent one. */
export interface LeadPageRequest {
  /** A customer's number, however it is written. */
  readonly phone?: string | null | undefined
  /** An agent's address. */
  readonly assignedTo?: string | null | undefined
  readonly unassignedOnly?: boolean | null | undefined
  /** From 0. */
  readonly page?: number | null | undefined
  /** 1 to 200; 50 unless it says otherwise. */
  readonly size?: number | null | undefined
}

/** A part of a list that is read to its end. */
export interface PartRequest {
  readonly cursor?: string | null | undefined
  /** 1 to 200; 50 unless it says otherwise. */
  readonly limit?: number | null | undefined
}

/** Which leads, for people. All that is given must hold. */
export interface LeadListRequest extends PartRequest {
  readonly status?: string | null | undefined
  readonly assignedTo?: string | null | undefined
  readonly unassignedOnly?: boolean | null | undefined
  /** A team's name, in any case. */
  readonly team?: string | null | undefined
}

/** A lead by its id, or by the customer's number. */
export type LeadReference = { readonly leadId: number } | { readonly phone: string }

/** Words for the customer, or one of the provider's templates: `name` or `name/language`. */
export interface ReplyRequest {
  readonly text?: string | null | undefined
  readonly template?: string | null | undefined
  /** What fills the template's places, in its order. */
  readonly values?: ReadonlyArray<string> | null | undefined
}

/** A file of a message, as it comes from the provider. */
export interface MessageMedia extends MediaContent {
  readonly fileName: string | null
}

/** Leads whose customer is called or numbered so. */
export interface Found {
  readonly items: ReadonlyArray<LeadView>
  /** There are more than are shown. */
  readonly more: boolean
}

/** Why a lead is not changed. */
export type LeadRefused = InvalidField | UnknownLead | Contended | StoreError

/**
 * The inbox: who wrote, who takes care of them, and what was said.
 *
 * Every method speaks for one `Caller`, and what belongs to another environment does not exist for it.
 *
 * @example
 * ```ts
 * import { type Caller, Leads } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const takeOver = Effect.fn(function* (caller: Caller, agentEmail: string) {
 *   const leads = yield* Leads
 *   const [first] = yield* leads.page(caller, { unassignedOnly: true, size: 1 })
 *   return first === undefined ? null : yield* leads.assign(caller, { leadId: first.lead.id }, agentEmail)
 * })
 * ```
 */
export class Leads extends Context.Service<
  Leads,
  {
    /** One page by number, the most recently active first. A lead that becomes active meanwhile moves to the head. */
    readonly page: (
      caller: Caller,
      request: LeadPageRequest
    ) => Effect.Effect<ReadonlyArray<LeadView>, InvalidField | StoreError>
    /** Gives a lead to an active agent; with no address it is nobody's. */
    readonly assign: (
      caller: Caller,
      lead: LeadReference,
      agentEmail: string | null | undefined
    ) => Effect.Effect<LeadView, LeadRefused | UnknownAgent>
    /** Moves a lead to a team; with no name it leaves its team. Whose it is does not change. */
    readonly moveToTeam: (
      caller: Caller,
      lead: LeadReference,
      teamName: string | null | undefined
    ) => Effect.Effect<LeadView, LeadRefused | UnknownTeam>
    /**
     * The leads from part to part, the most recently active first. After the end follows what has moved to the head
     * since the first part was read, so that whatever fits all the time is seen, some of it twice.
     */
    readonly list: (
      caller: Caller,
      request: LeadListRequest
    ) => Effect.Effect<Part<LeadView>, InvalidField | UnknownTeam | StoreError>
    /** By the beginnings of words of a name (two letters or more), or the end of a number (four digits or more). */
    readonly search: (caller: Caller, what: string) => Effect.Effect<Found, InvalidField | StoreError>
    readonly get: (caller: Caller, leadId: number) => Effect.Effect<LeadView, UnknownLead | StoreError>
    /** Enters a customer who has not written yet. */
    readonly create: (
      caller: Caller,
      fields: { readonly phone: string; readonly name?: string | null | undefined }
    ) => Effect.Effect<LeadView, InvalidField | Contended | StoreError>
    readonly close: (caller: Caller, leadId: number) => Effect.Effect<LeadView, UnknownLead | Contended | StoreError>
    readonly reopen: (caller: Caller, leadId: number) => Effect.Effect<LeadView, UnknownLead | Contended | StoreError>
    /** Nothing of it is unread any more. */
    readonly read: (caller: Caller, leadId: number) => Effect.Effect<LeadView, UnknownLead | Contended | StoreError>
    /** What happened to a lead, the newest first. */
    readonly history: (
      caller: Caller,
      leadId: number,
      request: PartRequest
    ) => Effect.Effect<Part<LeadEntry>, InvalidField | UnknownLead | StoreError>
    /** The conversation, the newest first. */
    readonly messages: (
      caller: Caller,
      leadId: number,
      request: PartRequest
    ) => Effect.Effect<Part<MessageView>, InvalidField | UnknownLead | StoreError>
    /** The file of a message, from the provider as it is read. */
    readonly media: (
      caller: Caller,
      leadId: number,
      messageId: string
    ) => Effect.Effect<MessageMedia, UnknownLead | UnknownMessage | ChannelError | StoreError>
    /** Writes down what no customer sees. */
    readonly note: (caller: Caller, leadId: number, text: string) => Effect.Effect<MessageView, LeadRefused>
    /** Answers a customer. The message is on its way when this succeeds, and shows what becomes of it. */
    readonly reply: (caller: Caller, leadId: number, request: ReplyRequest) => Effect.Effect<MessageView, LeadRefused>
  }
>()("@countersign/core/lead/Leads") {}
