import type { Settings } from "../merchant/Settings.ts"
import { type Instant, toIso } from "../../foundation/time/Instant.ts"
import { dayName, zoneOf } from "../../foundation/time/localDays.ts"

/** The merchant's local day at a moment, as `2026-11-22`. A time zone that no longer exists counts as UTC. */
export const dayOf = ({ timeZone }: Pick<Settings, "timeZone">, now: Instant): string => {
  const zone = zoneOf(timeZone)
  return zone === null ? toIso(now).slice(0, 10) : dayName(zone, now)
}
