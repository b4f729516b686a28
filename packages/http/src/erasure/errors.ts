import type { UnknownErasure } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** The failures of erasures. */
export const errors = defineErrors({
  UnknownErasure: (_: UnknownErasure) => ({
    errorCode: "ERASURE_NOT_FOUND",
    message: "No erasure has this id in this environment"
  })
})
