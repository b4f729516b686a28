import { Option, Result } from "effect"
import type { Campaign } from "../../engagement/campaign/Campaign.ts"
import { paused } from "../../engagement/campaign/changeCampaign.ts"
import { issuedAt } from "../../auth/verification/Device.ts"
import { replyKind } from "../../engagement/lead/inboxJobs.ts"
import { type AuditEntry, auditEntry, operator } from "../../foundation/outbox/AuditEntry.ts"
import { signInCodeKind } from "../../auth/person/signInJobs.ts"
import { type Instant, toIso } from "../../foundation/time/Instant.ts"
import type { Subject } from "../../auth/verification/Subject.ts"
import type { Verification } from "../../auth/verification/Verification.ts"
import { fallbackKind, sendKind } from "../../auth/verification/verificationJobs.ts"

/**
 * The kinds of jobs that send a message to a person. After the backup, the lost service may have sent them: sending
 * again would mean a second code or a second reply. Webhooks are not included, because receivers recognize an event by
 * its id. Campaigns are stopped by their state, and wait for a user to resume them.
 */
export const kindsToPeople: ReadonlyArray<string> = [sendKind, fallbackKind, signInCodeKind, replyKind].map(
  ({ name }) => name
)

/** A campaign after a restore, if it would message people again; null when it stays as it is. */
export const pauseCampaign = (campaign: Campaign): Campaign | null =>
  Option.getOrNull(Result.getSuccess(paused(campaign)))?.campaign ?? null

/**
 * A verification after a restore; null when it stays as it is. A code that was used up after the backup would work
 * again, so every pending verification ends. The expiry sweep reports it as expired.
 */
export const endVerification = (verification: Verification, now: Instant): Verification | null =>
  verification.status === "PENDING" && now < verification.expiresAt ? { ...verification, expiresAt: now } : null

/** A person without live verifications. Device tokens that were issued and never trusted stop working. */
export const resetSubject = (subject: Subject, now: Instant): Subject => ({
  ...subject,
  live: subject.live.filter(({ expiresAt }) => expiresAt <= now),
  devices: { ...subject.devices, revokedAt: issuedAt(subject.devices, now) }
})

/** The entry for a merchant's history, whose entries after the backup are lost. */
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

/** Facts that the backup cannot contain, so the operator must handle them again. */
export const instructions = (backedUpAt: string): ReadonlyArray<string> => [
  `Repeat the changes made since ${backedUpAt}, because the backup does not contain them:`,
  "- keys: revoke or roll keys that were revoked or rolled since; their old secrets work again",
  "- webhooks: rotate secrets that were rotated since",
  "- devices: revoke trusted devices that were revoked since; they sign in without a code again",
  "- team members: remove or suspend those who were removed or suspended since, and their passkeys",
  "- erasures: erase the end users who were erased since; their data is back",
  "- opt-outs, balances: enter opt-outs, top-ups and corrections that were made since"
]
