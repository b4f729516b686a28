import { Effect, Redacted } from "effect"
import { ChannelError, Refused, Unavailable } from "../delivery/ChannelError.ts"
import type { Prover } from "../delivery/Prover.ts"

/**
 * The prover of a test environment: nothing leaves the machine. The code is the number that it proves, in E.164 digits
 * without `+`; any other code is refused. For people whose number ends in `0000` it is away.
 */
export const make = (canonical: string): Prover => ({
  name: "TRUECALLER",
  provider: "sandbox",
  prove: ({ code }) => {
    const phone = Redacted.value(code)
    const fail = (reason: ChannelError["reason"]) => Effect.fail(new ChannelError({ channel: "TRUECALLER", reason }))
    if (canonical.endsWith("0000")) return fail(new Unavailable({ providerCode: "unreachable" }))
    return /^[1-9][0-9]{6,14}$/.test(phone)
      ? Effect.succeed({ phone, isVerified: true })
      : fail(new Refused({ providerCode: "unknown_code" }))
  }
})
