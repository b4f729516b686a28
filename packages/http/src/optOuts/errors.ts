import type { UnknownOptOut } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** How opt-outs fail, on the wire. */
export const errors = defineErrors({
  UnknownOptOut: (_: UnknownOptOut) => ({
    errorCode: "OPT_OUT_NOT_FOUND",
    message: "Nobody with this number asked for no campaigns in this environment"
  })
})
