import { type Caller, ist, type LeadView, seenLead } from "@countersign/core"

/** A lead as it is documented for programs, these nine fields and no other, and as its reader may see it. */
export const shownLead = (caller: Caller) => (view: LeadView) => {
  const { assignedTo, lead, teamName } = seenLead(caller, view)
  return {
    id: lead.id,
    contact: lead.contact,
    name: lead.name,
    status: lead.status,
    assignedTo,
    teamName,
    origin: lead.origin,
    lastMessageAt: lead.lastMessageAt === null ? null : ist(lead.lastMessageAt),
    unreadCount: lead.unreadCount
  }
}
