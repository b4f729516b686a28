import type { NotReady } from "../Fault.ts"
import { defineErrors, tryAgain } from "../ErrorTable.ts"

/** How what machines ask fails, on the wire. */
export const errors = defineErrors({
  NotReady: (_: NotReady) => ({ ...tryAgain("The service cannot reach its storage"), status: 503 })
})
