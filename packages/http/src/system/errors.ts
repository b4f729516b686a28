import type { NotReady } from "../Fault.ts"
import { defineErrors, tryAgain } from "../ErrorTable.ts"

/** The failures of health checks. */
export const errors = defineErrors({
  NotReady: (_: NotReady) => ({ ...tryAgain("The service cannot reach its storage"), status: 503 })
})
