import type { UnknownDevice } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** How `/v1/dashboard` fails, on the wire. */
export const errors = defineErrors({
  UnknownDevice: (_: UnknownDevice) => ({ errorCode: "DEVICE_NOT_FOUND", message: "No trusted device with this id" })
})
