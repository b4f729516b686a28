import { ist, type LeadView } from "@countersign/core"

/** A lead as it is documented for programs: these nine fields and no other. */
export const shownLead = ({ assignedTo, lead, teamName }: LeadView) => ({
  id: lead.id,
  contact: lead.contact,
  name: lead.name,
  status: lead.status,
  assignedTo,
  teamName,
  origin: lead.origin,
  lastMessageAt: lead.lastMessageAt === null ? null : ist(lead.lastMessageAt),
  unreadCount: lead.unreadCount
})
