import type { ConnectFailed, UnknownNumber } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** The failures of WhatsApp numbers. */
export const errors = defineErrors({
  ConnectFailed: ({ problem }: ConnectFailed) => ({ errorCode: "WHATSAPP_CONNECT_FAILED", message: problem }),
  UnknownNumber: (_: UnknownNumber) => ({
    errorCode: "NUMBER_NOT_FOUND",
    message: "No connected number has this id in this environment"
  })
})
