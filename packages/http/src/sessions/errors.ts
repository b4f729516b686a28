import type { UnknownSession } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** How sign-in fails, on the wire. What is wrong with a code or a link is `InvalidCredentials`, and never said. */
export const errors = defineErrors({
  UnknownSession: (_: UnknownSession) => ({
    errorCode: "NOT_FOUND",
    message: "You have no session with this id, or it has ended"
  })
})
