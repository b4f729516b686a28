import type { PaymentRequired } from "../../account/billing/PaymentRequired.ts"
import type { MediaContent } from "../../foundation/delivery/Account.ts"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { UnknownLead } from "./LeadError.ts"
import type { LeadRow } from "./LeadView.ts"

/** A page of leads. A null field counts as omitted. */
export interface LeadPageRequest {
  /** A customer's number in any spelling. */
  readonly phone?: string | null | undefined
  /** An agent's e-mail address. */
  readonly assignedTo?: string | null | undefined
  readonly unassignedOnly?: boolean | null | undefined
  /** From 0. */
  readonly page?: number | null | undefined
  /** 1 to 200. Defaults to 50. */
  readonly size?: number | null | undefined
}

/** A page of a list with a cursor. */
export interface PartRequest {
  readonly cursor?: string | null | undefined
  /** 1 to 200. Defaults to 50. */
  readonly limit?: number | null | undefined
}

/** Filters for the lead list. A lead must match all of them. */
export interface LeadListRequest extends PartRequest {
  readonly status?: string | null | undefined
  readonly assignedTo?: string | null | undefined
  readonly unassignedOnly?: boolean | null | undefined
  /** Only leads that wait for the team, longest waiting first. */
  readonly waitingOnly?: boolean | null | undefined
  /** Only snoozed leads, those that come back first at the top. */
  readonly snoozedOnly?: boolean | null | undefined
  /** A team's name, in any letter case. */
  readonly team?: string | null | undefined
  /** A label's id, or its name in any letter case. */
  readonly label?: string | null | undefined
}

/** A search by name or number. It returns at most 100 leads, and cannot be combined with filters or a cursor. */
export interface LeadSearchRequest extends LeadListRequest {
  readonly search: string
}

/** A lead by its id, or by the customer's number. */
export type LeadReference = { readonly leadId: number } | { readonly phone: string }

/** A message's file, streamed from the provider. */
export interface MessageMedia extends MediaContent {
  readonly fileName: string | null
}

/** Leads whose name or number matches. */
export interface Found {
  readonly items: ReadonlyArray<LeadRow>
  /** Whether there are further matches. */
  readonly more: boolean
}

/** The leads of an environment that wait for the team. */
export interface Waiting {
  readonly count: number
  /** Whether there are more than `count`. */
  readonly more: boolean
  /** Since when the first one waits; null when none does. */
  readonly since: Instant | null
}

/** Ids of labels to put on a lead, and to take off. */
export interface LabelRequest {
  readonly add?: ReadonlyArray<string> | null | undefined
  readonly remove?: ReadonlyArray<string> | null | undefined
}

/** One action on up to 100 leads. */
export interface LeadBulkRequest {
  readonly ids: ReadonlyArray<number>
  /** One of `BulkAction`. */
  readonly action: string
  /** For `ASSIGN`: an active agent, or no agent without an address. */
  readonly agentEmail?: string | null | undefined
  /** For `SNOOZE`, in ISO 8601. */
  readonly until?: string | null | undefined
  /** For `LABEL` and `UNLABEL`: a label's id. */
  readonly label?: string | null | undefined
}

/** Why a lead was not changed. */
export type LeadRefused = InvalidField | UnknownLead | Contended | StoreError

/** Why a reply was not sent. */
export type ReplyRefused = LeadRefused | PaymentRequired
