import type { UnknownMerchant } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** How `/v1/admin` fails, on the wire. */
export const errors = defineErrors({
  UnknownMerchant: (_: UnknownMerchant) => ({ errorCode: "MERCHANT_NOT_FOUND", message: "No such merchant" })
})
