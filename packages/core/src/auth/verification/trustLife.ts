import type { Settings } from "../../account/merchant/Settings.ts"
import { days } from "../../foundation/time/Instant.ts"
import type { TrustLife } from "./Device.ts"

/** How long a device of this environment stays trusted. */
export const trustLife = ({ oneTapDays, oneTapMaxDays }: Settings): TrustLife => ({
  longest: days(oneTapMaxDays),
  unused: days(oneTapDays)
})
