import { Option, Result } from "effect"
import type { Campaign } from "../campaign/Campaign.ts"
import { paused } from "../campaign/changeCampaign.ts"
import { replyKind } from "../lead/inboxJobs.ts"
import { signInCodeKind } from "../person/signInJobs.ts"
import { fallbackKind, sendKind } from "../verification/verificationJobs.ts"

/**
 * The kinds of work that send a message to a person. What was waiting when a backup was made has been sent since then, by
 * the service that was lost: sent again it would be a second code or a second reply. Webhooks are not among them, because
 * whoever takes them knows an event by its id. Campaigns are stopped by their state, and wait until somebody resumes them.
 */
export const kindsToPeople: ReadonlyArray<string> = [sendKind, fallbackKind, signInCodeKind, replyKind].map(
  ({ name }) => name
)

/** A campaign as it is after a restore, where it would write to people again; null where it stays as it is. */
export const stoppedByRestore = (campaign: Campaign): Campaign | null =>
  Option.getOrNull(Result.getSuccess(paused(campaign)))?.campaign ?? null
