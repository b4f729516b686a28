import type { UnknownMerchant } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** The failures of `/v1/admin`. */
export const errors = defineErrors({
  UnknownMerchant: (_: UnknownMerchant) => ({ errorCode: "MERCHANT_NOT_FOUND", message: "No merchant has this id" })
})
