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
  /** The number of the last recipient that was looked at, in this walk through the list. */
  after: Schema.Number,
  /** When the first of those that this walk left behind may be handed over; null where it left nobody. */
  next: Schema.NullOr(Schema.Number)
})
export type Work = typeof Work.Type

/** A step marks recipients, hands them over for 15 s at most, waits 10 s for the last answer, and commits. */
const lease = minutes(1)

/** Sends one campaign, a step at a time. Storage may be away for long: it is never put aside for that. */
export const campaignKind = JobKind.make("campaign", Work, { lease, mostFailures: null })

const gateOf = (channel: ChannelName) => `campaign:${channel}`

/** So many campaigns are sent at once over a channel, in each process: one of an environment, and the oldest work first. */
const places = 4
/** An environment gets no second place, however many are free. */
const share = 0.3

/** What the campaigns of each channel pass. */
export const campaignGates = (): ReadonlyArray<Gate> =>
  CampaignChannel.map((channel) => new Gate({ name: gateOf(channel), places, share }))

/** The work of a campaign, for the commit that makes it, resumes it or cancels it: each of these has its own `run`. */
export const campaignJob = ({ channel, environment, id, run }: Campaign, runAt: Instant): Job =>
  campaignKind.job({
    key: `campaign:${id}:${run}`,
    environment,
    gate: gateOf(channel),
    payload: { campaignId: id, run, after: 0, next: null },
    runAt
  })
