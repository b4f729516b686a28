import { type Caller, Instant, type LeadView, waitingSince } from "@countersign/core"
import type { InboxLeadAnswer } from "./contract.ts"
import { shownLead } from "../leads/shownLead.ts"

/** A lead as the dashboard shows it. */
export const shownInboxLead =
  (caller: Caller) =>
  (view: LeadView): typeof InboxLeadAnswer.Type => ({
    ...shownLead(caller)(view),
    campaignId: view.lead.campaignId,
    referral: view.lead.referral,
    lastInboundAt: Instant.toIsoOrNull(view.lead.lastInboundAt),
    waitingSince: Instant.toIsoOrNull(waitingSince(view.lead)),
    createdAt: Instant.toIso(view.lead.createdAt)
  })
