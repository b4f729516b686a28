import type { ConnectFailed, UnknownNumber } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** How WhatsApp numbers of `/v1/dashboard` fail, on the wire. */
export const errors = defineErrors({
  ConnectFailed: ({ problem }: ConnectFailed) => ({ errorCode: "WHATSAPP_CONNECT_FAILED", message: problem }),
  UnknownNumber: (_: UnknownNumber) => ({
    errorCode: "NUMBER_NOT_FOUND",
    message: "This environment has connected no number with this id"
  })
})
