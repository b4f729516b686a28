import type { TooManyListeners } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** How looking on may fail, on the wire. */
export const errors = defineErrors({
  TooManyListeners: ({ most }: TooManyListeners) => ({
    errorCode: "RATE_LIMIT_EXCEEDED",
    message: `${most} look on at this environment already; close one of them, or try again in 10 seconds`,
    headers: { "retry-after": "10" }
  })
})
