import { issuedAt, trustEndsAt, type TrustLife } from "../../auth/verification/Device.ts"
import { days, hours, type Instant } from "../../foundation/time/Instant.ts"
import type { Subject } from "../../auth/verification/Subject.ts"

/**
 * The remaining state of a person whose verifications are deleted: active rate limits, and everything that began since.
 */
export const leftOf = (subject: Subject, gone: ReadonlySet<string>, now: Instant): Subject => ({
  ...subject,
  codes: subject.codes.filter(({ at }) => at.some((instant) => instant > now - hours(1))),
  live: subject.live.filter(({ id }) => !gone.has(id))
})

/** Revokes trust in every device and every token issued so far. */
export const withoutDevices = (subject: Subject, now: Instant): Subject =>
  subject.devices.trusted.length === 0
    ? subject
    : { ...subject, devices: { trusted: [], revokedAt: issuedAt(subject.devices, now) } }

/** A trust entry counts only while it is valid. */
const endless: TrustLife = { longest: Infinity, unused: Infinity }

/**
 * Whether a person's row can be deleted: no limit in it counts. An earlier deletion would give a returning person new
 * codes and new guesses. Entries in the future keep the row, although no limit uses them: `now` may be a day behind.
 */
export const isSpent = (subject: Subject, now: Instant, life: TrustLife = endless): boolean =>
  subject.devices.trusted.every((device) => now >= trustEndsAt(device, life)) &&
  subject.live.every(({ expiresAt }) => now >= expiresAt) &&
  subject.codes.every(({ at }) => at.every((instant) => instant <= now - hours(1))) &&
  Object.values(subject.guesses).every(({ failedAt, failures }) => failures === 0 || now - failedAt >= days(1)) &&
  (subject.sdkMessages ?? []).every((at) => at <= now - hours(1)) &&
  (subject.wrongNumbers ?? []).every((at) => at <= now - hours(24))
