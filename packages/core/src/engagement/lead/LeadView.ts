import type { Media } from "../../foundation/delivery/Inbound.ts"
import type { Lead } from "./Lead.ts"
import type { LeadMessage } from "./LeadMessage.ts"

/** A lead with what its agent and team are called. */
export interface LeadView {
  readonly lead: Lead
  /** The owner's address as it was written. */
  readonly assignedTo: string | null
  readonly teamName: string | null
}

/** A message with everything that was done to it. */
export interface MessageView
  extends Pick<
    LeadMessage,
    | "id"
    | "leadId"
    | "direction"
    | "type"
    | "text"
    | "payload"
    | "location"
    | "details"
    | "context"
    | "referral"
    | "template"
    | "status"
    | "sentBy"
    | "at"
    | "providerId"
  > {
  readonly media: Media | null
  /** Why an outgoing one failed, in the provider's word or ours. */
  readonly error: string | null
  readonly edited: boolean
  /** Its words and files were taken back. */
  readonly deleted: boolean
  /** The latest emoji of either side; null for none. */
  readonly reactions: { readonly customer: string | null; readonly merchant: string | null }
}

/** A part of a list, and where the next part begins; null when there is none. */
export interface Part<A> {
  readonly items: ReadonlyArray<A>
  readonly nextCursor: string | null
}
