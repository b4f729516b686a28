import type { TooManyListeners } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** The failures of the live stream. */
export const errors = defineErrors({
  TooManyListeners: ({ most }: TooManyListeners) => ({
    errorCode: "RATE_LIMIT_EXCEEDED",
    message: `This environment already has ${most} live streams; close one of them, or try again in 10 seconds`,
    headers: { "retry-after": "10" }
  })
})
