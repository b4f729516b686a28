import type { PaymentRequired } from "../../account/billing/PaymentRequired.ts"
import type { MediaContent } from "../../foundation/delivery/Account.ts"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { UnknownLead } from "./LeadError.ts"
import type { LeadView } from "./LeadView.ts"

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
  /** Only open leads whose customer wrote last. */
  readonly waitingOnly?: boolean | null | undefined
  /** A team's name, in any case. */
  readonly team?: string | null | undefined
}

/** Leads by name or number. It goes alone: what else a list can be narrowed by is refused beside it. */
export interface LeadSearchRequest extends LeadListRequest {
  readonly search: string
}

/** A lead by its id, or by the customer's number. */
export type LeadReference = { readonly leadId: number } | { readonly phone: string }

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

/** Why a reply is not sent. */
export type ReplyRefused = LeadRefused | PaymentRequired
