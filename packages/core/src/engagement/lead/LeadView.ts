import type { Media } from "../../foundation/delivery/Inbound.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Label } from "./Label.ts"
import type { Lead } from "./Lead.ts"
import type { LeadMessage } from "./LeadMessage.ts"

/** A lead with the names of its agent and team. */
export interface LeadView {
  readonly lead: Lead
  /** The owner's e-mail address as entered. */
  readonly assignedTo: string | null
  readonly teamName: string | null
  readonly labels: ReadonlyArray<Label>
  /** For an agent, the messages that they have not read; otherwise the team's count. */
  readonly unreadCount: number
  /** Since when the lead waits for the team now. */
  readonly waitingSince: Instant | null
  /** Until when the lead is snoozed. Null after that moment. */
  readonly snoozedUntil: Instant | null
}

/** A lead in a list, with its latest message or note. */
export interface LeadRow extends LeadView {
  /** Null before the first message. */
  readonly last: MessageView | null
}

/** A message with its amendments applied. */
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
  /** The code of a failed outgoing message: the provider's, or one of core's. */
  readonly error: string | null
  readonly edited: boolean
  /** Whether its author deleted the message. */
  readonly deleted: boolean
  /** The latest reaction of each side; null for none. */
  readonly reactions: { readonly customer: string | null; readonly merchant: string | null }
}

/** A page of a list with the cursor of the next page; null on the last page. */
export interface Part<A> {
  readonly items: ReadonlyArray<A>
  readonly nextCursor: string | null
}
