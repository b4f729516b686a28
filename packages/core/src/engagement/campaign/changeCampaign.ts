import { Result } from "effect"
import type { Deed } from "../../foundation/outbox/AuditEntry.ts"
import type { Job } from "../../foundation/outbox/Job.ts"
import type { TextReference } from "../../message/template/StoredTemplate.ts"
import { type Instant, toIso } from "../../foundation/time/Instant.ts"
import type { Campaign } from "./Campaign.ts"
import { CampaignOver } from "./CampaignError.ts"
import { campaignJob } from "./campaignJobs.ts"
import type { CheckedCampaign } from "./checkCampaign.ts"
import type { ListedRecipient } from "./readRecipients.ts"
import type { Recipient } from "./Recipient.ts"

/** The next state of a campaign, with what it leaves; null where it is as it is wanted already. */
export interface CampaignStep {
  readonly campaign: Campaign
  readonly jobs: ReadonlyArray<Job>
  readonly deed: Deed
}

const target = ({ id }: Campaign) => ({ kind: "campaign", id })

/** A new one. Its recipients are written before it is. */
export const created = (
  { channel, name, startAt }: CheckedCampaign,
  made: Pick<Campaign, "command" | "environment" | "id" | "total"> & { readonly text: TextReference },
  now: Instant
): CampaignStep => {
  const campaign: Campaign = {
    ...made,
    version: 0,
    name,
    channel,
    status: startAt > now ? "SCHEDULED" : "RUNNING",
    pausedFor: null,
    problem: null,
    startAt,
    createdAt: now,
    finishedAt: null,
    run: 1,
    counts: null
  }
  const to = { name, channel, template: made.text.id, total: made.total, startAt: toIso(startAt) }
  return {
    campaign,
    jobs: [campaignJob(campaign, startAt)],
    deed: { action: "campaign.created", target: target(campaign), to }
  }
}

/** A recipient whom nobody has written to. */
export const recipientOf = (
  { environment, id }: Pick<Campaign, "environment" | "id">,
  number: number,
  { phone, values }: ListedRecipient
): Recipient => ({
  environment,
  campaignId: id,
  number,
  version: 0,
  phone,
  values,
  status: "PENDING",
  handedAt: null,
  tries: 0,
  price: null,
  providerId: null,
  providerCode: null
})

/** Why nothing can be done with it any more; null while something can. */
const overOf = ({ status }: Campaign, wish: CampaignOver["wish"]): CampaignOver | null =>
  status === "DONE" || status === "CANCELLED" ? new CampaignOver({ status, wish }) : null

const deedOf = (wish: CampaignOver["wish"], before: Campaign, after: Campaign): Deed => ({
  action: `campaign.${wish}`,
  target: target(before),
  from: { status: before.status },
  to: { status: after.status }
})

type Stepped = Result.Result<CampaignStep | null, CampaignOver>

/** Somebody stops it, until somebody has it go on. What is being handed over still is. */
export const paused = (campaign: Campaign): Stepped => {
  const over = overOf(campaign, "paused")
  if (over !== null) return Result.fail(over)
  if (campaign.status === "PAUSED") return Result.succeed(null)
  const next: Campaign = { ...campaign, status: "PAUSED", pausedFor: "PERSON" }
  return Result.succeed({ campaign: next, jobs: [], deed: deedOf("paused", campaign, next) })
}

/** It goes on where it stopped, or begins at its time. */
export const resumed = (campaign: Campaign, now: Instant): Stepped => {
  const over = overOf(campaign, "resumed")
  if (over !== null) return Result.fail(over)
  if (campaign.status !== "PAUSED") return Result.succeed(null)
  const next: Campaign = {
    ...campaign,
    status: campaign.startAt > now ? "SCHEDULED" : "RUNNING",
    pausedFor: null,
    problem: null,
    run: campaign.run + 1
  }
  const jobs = [campaignJob(next, Math.max(now, campaign.startAt))]
  return Result.succeed({ campaign: next, jobs, deed: deedOf("resumed", campaign, next) })
}

/** It writes to nobody any more. Its work is begun once more, to put down whom it did not come to. */
export const cancelled = (campaign: Campaign, now: Instant): Stepped => {
  if (campaign.status === "CANCELLED") return Result.succeed(null)
  const over = overOf(campaign, "cancelled")
  if (over !== null) return Result.fail(over)
  const next: Campaign = {
    ...campaign,
    status: "CANCELLED",
    pausedFor: null,
    problem: null,
    finishedAt: now,
    run: campaign.run + 1
  }
  return Result.succeed({ campaign: next, jobs: [campaignJob(next, now)], deed: deedOf("cancelled", campaign, next) })
}
