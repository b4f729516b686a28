import type { TooManyListeners } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** The failure of the live stream. Failures of a verification: `http/src/auth/errors.ts`. */
export const errors = defineErrors({
  TooManyListeners: ({ most }: TooManyListeners) => ({
    errorCode: "RATE_LIMIT_EXCEEDED",
    message: `This environment already has ${most} live streams; close one of them, or try again in 10 seconds`,
    headers: { "retry-after": "10" }
  })
})
