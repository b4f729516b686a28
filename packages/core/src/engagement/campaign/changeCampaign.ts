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

/** The next state of a campaign with its jobs and its audit entry. */
export interface CampaignStep {
  readonly campaign: Campaign
  readonly jobs: ReadonlyArray<Job>
  readonly deed: Deed
}

const target = ({ id }: Campaign) => ({ kind: "campaign", id })

/** Creates a campaign. The recipients are stored before the campaign. */
export const created = (
  { channel, name, startAt }: Pick<CheckedCampaign, "channel" | "name" | "startAt">,
  made: Pick<Campaign, "command" | "environment" | "id" | "total" | "skippedLines"> & { readonly text: TextReference },
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
  const { skippedLines, text, total } = made
  const skipped = skippedLines === undefined ? {} : { skippedLines }
  const to = { name, channel, template: text.id, total, ...skipped, startAt: toIso(startAt) }
  return {
    campaign,
    jobs: [campaignJob(campaign, startAt)],
    deed: { action: "campaign.created", target: target(campaign), to }
  }
}

/** Creates a recipient that has not been sent to. */
export const recipientOf = (
  { environment, id }: Pick<Campaign, "environment" | "id">,
  { line, phone, values }: ListedRecipient
): Recipient => ({
  environment,
  campaignId: id,
  number: line,
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

/** Returns an error when the campaign is over, otherwise null. */
const overOf = ({ status }: Campaign, wish: CampaignOver["wish"]): CampaignOver | null =>
  status === "DONE" || status === "CANCELLED" ? new CampaignOver({ status, wish }) : null

const deedOf = (wish: CampaignOver["wish"], before: Campaign, after: Campaign): Deed => ({
  action: `campaign.${wish}`,
  target: target(before),
  from: { status: before.status },
  to: { status: after.status }
})

type Stepped = Result.Result<CampaignStep | null, CampaignOver>

/** Pauses the campaign until a team member resumes it. Messages already with the provider still go out. */
export const paused = (campaign: Campaign): Stepped => {
  const over = overOf(campaign, "paused")
  if (over !== null) return Result.fail(over)
  if (campaign.status === "PAUSED") return Result.succeed(null)
  const next: Campaign = { ...campaign, status: "PAUSED", pausedFor: "PERSON" }
  return Result.succeed({ campaign: next, jobs: [], deed: deedOf("paused", campaign, next) })
}

/** Resumes the campaign where it stopped, or schedules it when its start is in the future. */
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

/** Cancels the campaign. A new job marks the unsent recipients as `SKIPPED`. */
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
