import type { UnknownSession } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** The failures of sign-in. Any problem with a code or a link is `InvalidCredentials`, without details. */
export const errors = defineErrors({
  UnknownSession: (_: UnknownSession) => ({
    errorCode: "NOT_FOUND",
    message: "You have no session with this id, or it has ended"
  })
})
