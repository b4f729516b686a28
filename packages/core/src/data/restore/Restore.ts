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
 * The kinds of work that send a message to a person. What was waiting when a backup was made has been sent since then, by
 * the service that was lost: sent again it would be a second code or a second reply. Webhooks are not among them, because
 * whoever takes them knows an event by its id. Campaigns are stopped by their state, and wait until somebody resumes them.
 */
export const kindsToPeople: ReadonlyArray<string> = [sendKind, fallbackKind, signInCodeKind, replyKind].map(
  ({ name }) => name
)

/** A campaign as it is after a restore, where it would write to people again; null where it stays as it is. */
export const pauseCampaign = (campaign: Campaign): Campaign | null =>
  Option.getOrNull(Result.getSuccess(paused(campaign)))?.campaign ?? null

/**
 * A verification as it is after a restore; null where it stays as it is. A code that was used, or tried too often, after
 * the backup would work again, so every pending one ends at once. The expiry sweep announces it as expired.
 */
export const endVerification = (verification: Verification, now: Instant): Verification | null =>
  verification.status === "PENDING" && now < verification.expiresAt ? { ...verification, expiresAt: now } : null

/** A person without live verifications. Device tokens that were issued and never trusted open nothing any more. */
export const resetSubject = (subject: Subject, now: Instant): Subject => ({
  ...subject,
  live: subject.live.filter(({ expiresAt }) => expiresAt <= now),
  devices: { ...subject.devices, revokedAt: issuedAt(subject.devices, now) }
})

/** The entry that a merchant's audit log gets, because whatever it recorded after the backup is gone. */
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

/** What the backup cannot know, and the operator must do once more. */
export const instructions = (backedUpAt: string): ReadonlyArray<string> => [
  `Do again what was done since ${backedUpAt}, because the backup does not know it:`,
  "- keys: revoke or roll those that were revoked or rolled since; they open the API again, with their old secrets",
  "- webhooks: rotate secrets that were rotated since",
  "- devices: revoke trusted devices that were revoked since; they skip codes again",
  "- people: remove or suspend team members who were removed or suspended since, and their passkeys",
  "- erasures: erase the people who were erased since; their data is back",
  "- opt-outs, money: enter opt-outs, top-ups and corrections that were made since"
]
