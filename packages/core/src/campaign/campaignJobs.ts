import { Schema } from "effect"
import type { Job } from "../outbox/Job.ts"
import * as JobKind from "../outbox/JobKind.ts"
import { minutes } from "../time/Instant.ts"
import type { Campaign } from "./Campaign.ts"

const Work = Schema.Struct({ campaignId: Schema.String, run: Schema.Number })
export type Work = typeof Work.Type

/** A step marks its recipients, hands them over for as long as `longestStep`, waits for the last answer, and commits. */
const lease = minutes(1)

/** Sends one campaign, a step at a time. Storage may be away for long: it is never put aside for that. */
export const campaignKind = JobKind.make("campaign", Work, { lease, mostFailures: null })

/** The work of a campaign, for the commit that makes it, resumes it or cancels it: each of these has its own `run`. */
export const campaignJob = ({ environment, id, run }: Campaign, runAt: number): Job =>
  campaignKind.job({ key: `campaign:${id}:${run}`, environment, payload: { campaignId: id, run }, runAt })
