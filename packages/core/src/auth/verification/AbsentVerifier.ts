import { Effect } from "effect"
import { ChannelError, Unavailable } from "../../foundation/delivery/ChannelError.ts"
import type { NumberVerifier } from "../../foundation/delivery/NumberVerifier.ts"
import { TruecallerProof, truecallerRefusal } from "./truecallerProof.ts"

const reason = new Unavailable({ providerCode: "not_configured", retryAfterSeconds: 60 })

/**
 * Stands in for Truecaller in a process where it is not configured, and always answers that it is unavailable. Another
 * process may have started the login with Truecaller configured.
 */
export const truecaller: NumberVerifier<TruecallerProof> = {
  name: "TRUECALLER",
  provider: "none",
  payload: TruecallerProof,
  refusal: truecallerRefusal,
  verify: () => Effect.fail(new ChannelError({ channel: "TRUECALLER", reason }))
}
