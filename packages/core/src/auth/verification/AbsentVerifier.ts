import { Effect } from "effect"
import { ChannelError, Unavailable } from "../../foundation/delivery/ChannelError.ts"
import type { NumberVerifier } from "../../foundation/delivery/NumberVerifier.ts"
import { TruecallerProof, truecallerRefusal } from "./truecallerProof.ts"

const reason = new Unavailable({ providerCode: "not_configured", retryAfterSeconds: 60 })

/** Stands in for Truecaller where nobody configured it, for logins that another process started: it cannot be asked. */
export const truecaller: NumberVerifier<TruecallerProof> = {
  name: "TRUECALLER",
  provider: "none",
  payload: TruecallerProof,
  refusal: truecallerRefusal,
  verify: () => Effect.fail(new ChannelError({ channel: "TRUECALLER", reason }))
}
