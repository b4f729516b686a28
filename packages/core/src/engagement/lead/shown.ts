import type { Lead } from "./Lead.ts"
import type { LeadMessage, MessageDirection } from "./LeadMessage.ts"
import type { MessageView } from "./LeadView.ts"

/** Whether an amendment is later, by its own time, then by arrival. */
const isLater = (a: LeadMessage, b: LeadMessage): boolean => a.at > b.at || (a.at === b.at && a.id > b.id)

const latest = (rows: ReadonlyArray<LeadMessage>): LeadMessage | undefined =>
  rows.reduce<LeadMessage | undefined>(
    (last, row) => (last === undefined || isLater(row, last) ? row : last),
    undefined
  )

/**
 * Applies a message's amendments, in whatever order they arrived: the latest text, no content after a deletion, and the
 * latest reaction of each side. Only the author of a message may edit or delete it, and amendments from other
 * conversations have no effect.
 */
export const shown = (
  message: LeadMessage,
  amendments: ReadonlyArray<LeadMessage>,
  lead: Pick<Lead, "id" | "phone" | "userId">
): MessageView => {
  const about = amendments.filter((row) => row.about !== null && row.about === message.providerId && isOf(lead, row))
  const own = about.filter(({ direction }) => direction === message.direction)
  const edit = latest(own.filter(({ kind }) => kind === "EDIT"))
  const deleted = own.some(({ kind }) => kind === "DELETION")
  const reaction = (direction: MessageDirection) =>
    latest(about.filter((row) => row.kind === "REACTION" && row.direction === direction))?.text ?? null
  return {
    id: message.id,
    leadId: message.leadId,
    direction: message.direction,
    type: message.type,
    text: deleted ? null : edit === undefined ? message.text : edit.text,
    payload: deleted ? null : message.payload,
    media: deleted ? null : message.media,
    location: deleted ? null : message.location,
    details: deleted ? null : message.details,
    context: message.context,
    referral: message.referral,
    template: message.template,
    status: message.status,
    error: message.providerCode,
    sentBy: message.sentBy,
    at: message.at,
    providerId: message.providerId,
    edited: edit !== undefined && !deleted,
    deleted,
    reactions: { customer: reaction("IN"), merchant: reaction("OUT") }
  }
}

/** An amendment that arrived before its author's lead belongs to the lead with the author's number or provider id. */
const isOf = (
  { id, phone, userId }: Pick<Lead, "id" | "phone" | "userId">,
  { leadId, writer }: LeadMessage
): boolean =>
  leadId === null
    ? (phone !== null && writer?.phone === phone) || (userId !== null && writer?.userId === userId)
    : leadId === id
