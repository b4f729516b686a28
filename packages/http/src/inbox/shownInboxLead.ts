import { type Caller, Instant, type LeadView, type People } from "@countersign/core"
import type { InboxLeadAnswer } from "./contract.ts"
import { shownLead } from "../leads/shownLead.ts"

/** A lead as the dashboard shows it. */
export const shownInboxLead =
  (caller: Caller, people: People["Service"]) =>
  (view: LeadView): typeof InboxLeadAnswer.Type => ({
    ...shownLead(caller)(view),
    labels: view.labels.map(({ colour, id, name }) => ({ id, name, colour })),
    person: view.lead.phone === null ? null : people.referenceOf(view.lead.environment, view.lead.phone),
    campaignId: view.lead.campaignId,
    referral: view.lead.referral,
    lastInboundAt: Instant.toIsoOrNull(view.lead.lastInboundAt),
    waitingSince: Instant.toIsoOrNull(view.waitingSince),
    snoozedUntil: Instant.toIsoOrNull(view.snoozedUntil),
    createdAt: Instant.toIso(view.lead.createdAt)
  })
