import type { UnknownOptOut } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** The failures of opt-outs. */
export const errors = defineErrors({
  UnknownOptOut: (_: UnknownOptOut) => ({
    errorCode: "OPT_OUT_NOT_FOUND",
    message: "This number has no opt-out in this environment"
  })
})
