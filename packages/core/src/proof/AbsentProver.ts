import { Effect } from "effect"
import { ChannelError, Unavailable } from "../delivery/ChannelError.ts"
import type { Prover } from "../delivery/Prover.ts"

const reason = new Unavailable({ providerCode: "not_configured", retryAfterSeconds: 60 })

/** Stands in where nobody configured a provider, for logins that another process started. It cannot be asked at all. */
export const prover: Prover = {
  name: "TRUECALLER",
  provider: "none",
  prove: () => Effect.fail(new ChannelError({ channel: "TRUECALLER", reason }))
}
