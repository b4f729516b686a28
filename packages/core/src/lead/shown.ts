import type { LeadMessage, MessageDirection } from "./LeadMessage.ts"
import type { MessageView } from "./LeadView.ts"

/** Of what was done to a message, the last by its own time, or else by its arrival. */
const isLater = (a: LeadMessage, b: LeadMessage): boolean => a.at > b.at || (a.at === b.at && a.id > b.id)

const latest = (rows: ReadonlyArray<LeadMessage>): LeadMessage | undefined =>
  rows.reduce<LeadMessage | undefined>(
    (last, row) => (last === undefined || isLater(row, last) ? row : last),
    undefined
  )

/**
 * A message with everything that was done to it, in whichever order that came: the latest words, nothing of what was
 * taken back, and the latest emoji of either side. Only whoever wrote a message may edit it or take it back.
 */
export const shown = (message: LeadMessage, amendments: ReadonlyArray<LeadMessage>): MessageView => {
  const about = amendments.filter((row) => row.about !== null && row.about === message.providerId)
  const own = about.filter(({ direction, leadId }) => direction === message.direction && isOf(message, leadId))
  const edit = latest(own.filter(({ kind }) => kind === "EDIT"))
  const deleted = own.some(({ kind }) => kind === "DELETION")
  const reaction = (direction: MessageDirection) =>
    latest(about.filter((row) => row.kind === "REACTION" && row.direction === direction && isOf(message, row.leadId)))
      ?.text ?? null
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
    error: message.error,
    sentBy: message.sentBy,
    at: message.at,
    providerId: message.providerId,
    edited: edit !== undefined && !deleted,
    deleted,
    reactions: { customer: reaction("IN"), merchant: reaction("OUT") }
  }
}

/** Nobody changes what is said in somebody else's conversation; one that came before its customer's lead has none. */
const isOf = (message: LeadMessage, leadId: number | null): boolean => leadId === null || leadId === message.leadId
