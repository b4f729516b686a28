import type { Settings } from "../../account/merchant/Settings.ts"
import { hours, type Instant } from "../../foundation/time/Instant.ts"
import type { Identity } from "../../foundation/identity/Identity.ts"
import type { Path } from "./Verification.ts"
import { codesThisHour, type Subject } from "./Subject.ts"

/** Returns when the oldest code that fills a limit leaves the sliding hour, or null while there is room. */
export const fullUntil = (codes: ReadonlyArray<Instant>, limit: number): Instant | null =>
  codes.length < limit ? null : codes[codes.length - limit]! + hours(1)

/** A limit of one person's codes, and when it has room again. */
interface ReachedLimit {
  readonly limit: "spelling" | "canonical"
  readonly retryAt: Instant
}

/** Returns the hourly limit that leaves a person no new code now, or null while there is room. */
export const reachedCodeLimit = (
  subject: Subject,
  { identity: { spelling }, path }: { readonly identity: Pick<Identity, "spelling">; readonly path: Path },
  { canonicalHourlyLimit, hourlyLimit }: Settings,
  now: Instant
): ReachedLimit | null => {
  const codes = codesThisHour(subject, path, spelling, now)
  const spellingFull = fullUntil(codes.spelling, hourlyLimit)
  if (spellingFull !== null) return { limit: "spelling", retryAt: spellingFull }
  const canonicalLimit = canonicalHourlyLimit ?? 3 * hourlyLimit
  const canonicalFull = canonicalLimit === 0 ? null : fullUntil(codes.canonical, canonicalLimit)
  return canonicalFull === null ? null : { limit: "canonical", retryAt: canonicalFull }
}
