import type { NetworkNotSupported, ProofUnavailable } from "@countersign/core"
import type { OriginForbidden } from "../Fault.ts"
import { defineErrors } from "../ErrorTable.ts"

/** The failures of `/v1/sdk`. */
export const errors = defineErrors({
  OriginForbidden: (_: OriginForbidden) => ({
    errorCode: "FORBIDDEN",
    message: "This origin may not use the public key; add it to allowedOrigins in your settings"
  }),
  NetworkNotSupported: ({ provider }: NetworkNotSupported) => ({
    errorCode: "NETWORK_NOT_SUPPORTED",
    message: `${provider} cannot verify the number over this network: it needs the mobile data of a carrier that takes part. Verify with a code`
  }),
  ProofUnavailable: ({ provider, retryAfterSeconds }: ProofUnavailable) => ({
    errorCode: "PROVIDER_ERROR",
    message: `${provider} cannot verify the number now; start again in the app in ${retryAfterSeconds} seconds, or verify with a code`,
    headers: { "retry-after": String(retryAfterSeconds) }
  })
})
