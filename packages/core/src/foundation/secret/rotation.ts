import { hours, type Instant } from "../time/Instant.ts"

/** A secret that a rotation replaced. It is valid beside newer ones for a day, however many rotations follow. */
export interface PreviousSecret {
  readonly sealed: string
  readonly until: Instant
}

/** The secrets of something that signs or checks signatures. */
export interface Secrets {
  /** The newest secret, encrypted. A hash does not suffice, because a signature needs the secret itself. */
  readonly sealed: string
  /** Replaced secrets, the latest first. Expired ones are no longer valid. */
  readonly previous: ReadonlyArray<PreviousSecret>
}

/** How long a replaced secret is still valid. */
export const rotationOverlap = hours(24)

/** How many secrets are valid at the same time, including the newest. */
export const mostSecrets = 4

/** The replaced secrets that are still valid. */
export const signing = ({ previous }: Secrets, now: Instant): ReadonlyArray<PreviousSecret> =>
  previous.filter(({ until }) => now < until)

/** When the last of the replaced secrets ends; null when only the newest is valid. */
export const retiringAt = (secrets: Secrets, now: Instant): Instant | null => signing(secrets, now)[0]?.until ?? null

/**
 * Replaces the current secret with a new one. A valid secret never ends before its day is over, because the other side
 * may still use it, and genuine requests would be rejected. So when there are already `mostSecrets`, a rotation has to
 * wait, and the result is the instant to wait for.
 *
 * `endOthers` is for a leaked secret: every older secret ends immediately.
 */
export const rotated = <Owner extends Secrets>(
  owner: Owner,
  sealed: string,
  now: Instant,
  endOthers: boolean
): { readonly _tag: "Rotated"; readonly next: Owner } | { readonly _tag: "Full"; readonly until: Instant } => {
  if (endOthers) return { _tag: "Rotated", next: { ...owner, sealed, previous: [] } }
  const live = signing(owner, now)
  const oldest = live.at(-1)
  if (oldest !== undefined && live.length + 2 > mostSecrets) return { _tag: "Full", until: oldest.until }
  const previous = [{ sealed: owner.sealed, until: now + rotationOverlap }, ...live]
  return { _tag: "Rotated", next: { ...owner, sealed, previous } }
}
