import { Schema } from "effect"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import { Gate } from "../../foundation/outbox/Gate.ts"
import type { Job } from "../../foundation/outbox/Job.ts"
import * as JobKind from "../../foundation/outbox/JobKind.ts"
import { type Instant, minutes } from "../../foundation/time/Instant.ts"
import { type Campaign, CampaignChannel } from "./Campaign.ts"

const Work = Schema.Struct({
  campaignId: Schema.String,
  run: Schema.Number,
  /** The number of the last recipient read in this pass through the list. */
  after: Schema.Number,
  /** The earliest instant at which a recipient left over from this pass may be sent; null when the pass left none. */
  next: Schema.NullOr(Schema.Number)
})
export type Work = typeof Work.Type

/** A step marks recipients, sends for at most 15 s, waits 10 s for the last answer, and commits. */
const lease = minutes(1)

/**
 * Sends one campaign, one step at a time. Failures never park this job, because storage may be unreachable for long.
 */
export const campaignKind = JobKind.make("campaign", Work, { lease, mostFailures: null })

const gateOf = (channel: ChannelName) => `campaign:${channel}`

/** The most campaigns a process sends over a channel at the same time. The oldest job goes first. */
const places = 4
/** An environment's share of the free places. With 4 places it gets one, even when the others are free. */
const share = 0.3

/** One gate per campaign channel. */
export const campaignGates = (): ReadonlyArray<Gate> =>
  CampaignChannel.map((channel) => new Gate({ name: gateOf(channel), places, share }))

/**
 * The job of a campaign. The commit that creates, resumes or cancels the campaign adds it, each time with a new `run`.
 */
export const campaignJob = ({ channel, environment, id, run }: Campaign, runAt: Instant): Job =>
  campaignKind.job({
    key: `campaign:${id}:${run}`,
    environment,
    gate: gateOf(channel),
    payload: { campaignId: id, run, after: 0, next: null },
    runAt
  })
