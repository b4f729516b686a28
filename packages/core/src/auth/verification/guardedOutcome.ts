import type { Identity } from "../../foundation/identity/Identity.ts"
import type { RequestContext } from "../verification/RequestContext.ts"
import type { Verification } from "../verification/Verification.ts"
import type { GuardedOutcome, GuardedRequest } from "../../foundation/guard/GuardMemory.ts"

/** What the guard knows of a request to a phone number. */
export const guardedRequest = (
  { canonical }: Pick<Identity, "canonical">,
  context: RequestContext | null | undefined,
  isKnown: boolean
): GuardedRequest => ({
  number: canonical,
  address: context?.clientIp ?? null,
  device: context?.deviceId ?? null,
  isKnown
})

/** Without a message that may arrive, the code cannot be typed. */
const isLost = ({ deliveries }: Verification): boolean =>
  deliveries.every(({ status }) => status === "FAILED" || status === "SKIPPED")

/**
 * What a verification tells the guard. Null when it sent nothing to a phone number, or never left the machine. Also
 * null for a relayed code: whether it was typed is known elsewhere, so it must count neither way.
 */
export const guardedOutcome = (verification: Verification): GuardedOutcome | null => {
  const { context, createdAt: at, identity, isNew, kind, method, sandbox, status } = verification
  if (identity.type !== "MOBILE" || kind === "Number" || kind === "Relayed" || sandbox === true || method === "ONETAP")
    return null
  const state = status === "VERIFIED" ? "VERIFIED" : isLost(verification) ? "LOST" : "PENDING"
  return { ...guardedRequest(identity, context, isNew !== true), at, state }
}
