import { Instant, type TrustedDevice } from "@countersign/core"

/** A trusted device as the dashboard shows it. */
export const shownDevice = ({ id, label, trustEndsAt, trustedAt, usedAt }: TrustedDevice) => ({
  id,
  label,
  trustedAt: Instant.toIso(trustedAt),
  lastUsedAt: Instant.toIso(usedAt),
  expiresAt: Instant.toIso(trustEndsAt)
})
