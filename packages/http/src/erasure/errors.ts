import type { UnknownErasure } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** How erasures of `/v1/dashboard` fail, on the wire. */
export const errors = defineErrors({
  UnknownErasure: (_: UnknownErasure) => ({
    errorCode: "ERASURE_NOT_FOUND",
    message: "No erasure with this id was begun in this environment"
  })
})
