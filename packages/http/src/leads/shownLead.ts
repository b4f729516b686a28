import { type Caller, ist, type LeadView, seenLead } from "@countersign/core"

/** A lead with exactly its documented fields, masked for readers who may not see identities. */
export const shownLead = (caller: Caller) => (view: LeadView) => {
  const { assignedTo, lead, teamName, unreadCount } = seenLead(caller, view)
  return {
    id: lead.id,
    contact: lead.contact,
    name: lead.name,
    status: lead.status,
    assignedTo,
    teamName,
    origin: lead.origin,
    lastMessageAt: lead.lastMessageAt === null ? null : ist(lead.lastMessageAt),
    unreadCount
  }
}
