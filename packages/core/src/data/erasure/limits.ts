import { issuedAt, trustEndsAt, type TrustLife } from "../../auth/verification/Device.ts"
import { days, hours, type Instant } from "../../foundation/time/Instant.ts"
import type { Subject } from "../../auth/verification/Subject.ts"

/** What is left of somebody whose verifications go: what limits still count, and what was begun since. */
export const leftOf = (subject: Subject, gone: ReadonlySet<string>, now: Instant): Subject => ({
  ...subject,
  codes: subject.codes.filter(({ at }) => at.some((instant) => instant > now - hours(1))),
  live: subject.live.filter(({ id }) => !gone.has(id))
})

/** No device is trusted any more, and no token that was given out until now is of use. */
export const withoutDevices = (subject: Subject, now: Instant): Subject =>
  subject.devices.trusted.length === 0
    ? subject
    : { ...subject, devices: { trusted: [], revokedAt: issuedAt(subject.devices, now) } }

/** Whoever is trusted at all counts. */
const endless: TrustLife = { longest: Infinity, unused: Infinity }

/**
 * Whether a person's row can go: nothing of it counts. A row that went earlier would give whoever comes back new codes
 * and new guesses. What is ahead of `now` keeps the row, although no limit believes it: `now` may be a day ago.
 */
export const isSpent = (subject: Subject, now: Instant, life: TrustLife = endless): boolean =>
  subject.devices.trusted.every((device) => now >= trustEndsAt(device, life)) &&
  subject.live.every(({ expiresAt }) => now >= expiresAt) &&
  subject.codes.every(({ at }) => at.every((instant) => instant <= now - hours(1))) &&
  Object.values(subject.guesses).every(({ failedAt, failures }) => failures === 0 || now - failedAt >= days(1)) &&
  (subject.sdkMessages ?? []).every((at) => at <= now - hours(1)) &&
  (subject.wrongNumbers ?? []).every((at) => at <= now - hours(24))
