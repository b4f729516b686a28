import type { DestinationForbidden, ProofUnavailable } from "@countersign/core"
import type { OriginForbidden } from "../Fault.ts"
import { defineErrors } from "../ErrorTable.ts"

/** How `/v1/sdk` fails, on the wire. */
export const errors = defineErrors({
  OriginForbidden: (_: OriginForbidden) => ({
    errorCode: "FORBIDDEN",
    message: "This origin is not allowed to use the public key; add it to allowedOrigins in your settings"
  }),
  DestinationForbidden: ({ problem }: DestinationForbidden) => ({
    errorCode: "FORBIDDEN",
    message: `phone: ${problem}`
  }),
  ProofUnavailable: ({ provider, retryAfterSeconds }: ProofUnavailable) => ({
    errorCode: "PROVIDER_ERROR",
    message: `${provider} cannot tell now whose number this is; start again in the app in ${retryAfterSeconds} seconds, or verify with a code`,
    headers: { "retry-after": String(retryAfterSeconds) }
  })
})
