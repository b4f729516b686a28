import type { LastDashboardKey, UnknownKey } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** The failures of keys. */
export const errors = defineErrors({
  LastDashboardKey: (_: LastDashboardKey) => ({
    errorCode: "FORBIDDEN",
    message:
      "This is the last key of this environment with the scope dashboard; create another one first, or roll this one with overlapHours 0"
  }),
  UnknownKey: (_: UnknownKey) => ({
    errorCode: "KEY_NOT_FOUND",
    message: "No key has this id in this environment, or it was revoked"
  })
})
