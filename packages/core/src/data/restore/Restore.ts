import { Option, Result } from "effect"
import type { Campaign } from "../../engagement/campaign/Campaign.ts"
import { paused } from "../../engagement/campaign/changeCampaign.ts"
import { issuedAt } from "../../auth/verification/Device.ts"
import { replyKind } from "../../engagement/lead/inboxJobs.ts"
import { type AuditEntry, auditEntry, operator } from "../../foundation/outbox/AuditEntry.ts"
import { signInCodeKind } from "../../auth/staff/signInJobs.ts"
import { type Instant, toIso } from "../../foundation/time/Instant.ts"
import type { Subject } from "../../auth/verification/Subject.ts"
import type { Verification } from "../../auth/verification/Verification.ts"
import { fallbackKind, sendKind } from "../../auth/verification/verificationJobs.ts"

/**
 * The kinds of jobs that send a message to a person. A restore does not run these jobs: they may have sent their
 * message after the backup, and the person would get a second code or reply. Webhook jobs still run, because receivers
 * recognize an event by its id. A restore stops campaigns by pausing them instead: see `pauseCampaign`.
 */
export const kindsToPeople: ReadonlyArray<string> = [sendKind, fallbackKind, signInCodeKind, replyKind].map(
  ({ name }) => name
)

/** Pauses a campaign that would message people again after a restore. Null when it is already paused or over. */
export const pauseCampaign = (campaign: Campaign): Campaign | null =>
  Option.getOrNull(Result.getSuccess(paused(campaign)))?.campaign ?? null

/**
 * Ends a pending verification after a restore, because a code that was used after the backup would work again. The
 * expiry sweep reports it as expired. Null when it is not pending or has already expired.
 */
export const endVerification = (verification: Verification, now: Instant): Verification | null =>
  verification.status === "PENDING" && now < verification.expiresAt ? { ...verification, expiresAt: now } : null

/**
 * Removes a person's live verifications, and revokes device tokens that no proof has made trusted yet. Devices that are
 * already trusted stay trusted.
 */
export const resetSubject = (subject: Subject, now: Instant): Subject => ({
  ...subject,
  live: subject.live.filter(({ expiresAt }) => expiresAt <= now),
  devices: { ...subject.devices, revokedAt: issuedAt(subject.devices, now) }
})

/**
 * The audit entry that records a restore in a merchant's history. The history lost its entries from after the backup.
 */
export const entryOf = (merchantId: string, backedUpAt: string, now: Instant): AuditEntry =>
  auditEntry(
    { actor: { ...operator, label: "command" }, address: null, merchantId, environment: null },
    {
      action: "storage.restored",
      target: { kind: "merchant", id: merchantId },
      to: { backedUpAt, restoredAt: toIso(now) }
    },
    now
  )

/** Tells the operator which changes to repeat: those made after the backup, which it cannot contain. */
export const instructions = (backedUpAt: string): ReadonlyArray<string> => [
  `Repeat the changes made since ${backedUpAt}, because the backup does not contain them:`,
  "- keys: revoke or roll keys that were revoked or rolled since; their old secrets work again",
  "- webhooks: rotate secrets that were rotated since",
  "- devices: revoke trusted devices that were revoked since; they sign in without a code again",
  "- team members: remove or suspend those who were removed or suspended since, and their passkeys",
  "- erasures: erase the end users who were erased since; their data is back",
  "- opt-outs, balances: enter opt-outs, top-ups and corrections that were made since"
]
