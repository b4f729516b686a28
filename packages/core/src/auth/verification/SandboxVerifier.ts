import { Effect } from "effect"
import { ChannelError, Refused, Unavailable } from "../../foundation/delivery/ChannelError.ts"
import type { Proof } from "../../foundation/delivery/NumberVerifier.ts"

const isNumber = (text: unknown): text is string => typeof text === "string" && /^[1-9][0-9]{6,14}$/.test(text)

const failed = (name: string, reason: ChannelError["reason"]) =>
  Effect.fail(new ChannelError({ channel: name, reason }))

const isAway = (canonical: string) => canonical.endsWith("0000")

const away = (name: string) => failed(name, new Unavailable({ providerCode: "unreachable" }))

/** Begins a verification without an address: there is nothing to open. */
export const start = (name: string, canonical: string): Effect.Effect<void, ChannelError> =>
  isAway(canonical) ? away(name) : Effect.void

/**
 * Replaces every verifier in a test environment, so nothing leaves the machine. A proof has the real form. A field with
 * E.164 digits without `+` is the number that it proves. Without such a field it is refused. For people whose number
 * ends in `0000`, the verifier is unavailable.
 */
export const verify = (name: string, canonical: string, proof: object): Effect.Effect<Proof, ChannelError> => {
  if (isAway(canonical)) return away(name)
  const phone = Object.values(proof).find(isNumber)
  return phone === undefined
    ? failed(name, new Refused({ providerCode: "unknown_code" }))
    : Effect.succeed({ phone, isVerified: true })
}
