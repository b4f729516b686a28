import type { AuthContext } from "./AuthContext.ts"
import { clientAddress } from "./clientAddress.ts"
import { isFailure, refusalOf } from "./refusal.ts"
import { orderIdOf } from "./secrets.ts"
import type { VerificationClient } from "./VerificationClient.ts"

export interface Recipient {
  readonly identity: string
  readonly identityType: "MOBILE" | "EMAIL"
  /** What the code is for. A code that was requested for one purpose is looked for under that purpose only. */
  readonly purpose: string
}

/** Facts about the end user's request, for limits, protection and the dashboard. */
export const requestFacts = (ctx: AuthContext) => {
  const userAgent = ctx.headers?.get("user-agent")?.slice(0, 512)
  return {
    ...(clientAddress(ctx) === null ? {} : { clientIp: clientAddress(ctx) }),
    ...(userAgent === undefined || userAgent === "" ? {} : { userAgent })
  }
}

/** Sends a code, or sends a live one again. */
export const sendCode = async (
  client: () => Promise<VerificationClient>,
  { identity, identityType, purpose }: Recipient,
  channel: string | undefined,
  ctx: AuthContext
): Promise<void> => {
  try {
    await (await client()).initiate({
      identity,
      identityType,
      orderId: orderIdOf(ctx.context.secret, purpose, identity),
      ...(channel === undefined ? {} : { channel }),
      ...requestFacts(ctx)
    })
  } catch (error) {
    throw refusalOf(error, identityType, ctx)
  }
}

/**
 * Whether the code is right and was not used before. Of all calls with the right code, in all processes, one returns
 * true: Countersign marks the others as `already` verified.
 */
export const checkCode = async (
  client: () => Promise<VerificationClient>,
  { identity, identityType, purpose }: Recipient,
  otp: string,
  ctx: AuthContext
): Promise<boolean> => {
  try {
    const orderId = orderIdOf(ctx.context.secret, purpose, identity)
    const { already, verified } = await (await client()).verify({ orderId, otp })
    return verified && already !== true
  } catch (error) {
    // No code was sent to this identity, or the text cannot be a code.
    if (isFailure(error) && (error.errorCode === "TRANSACTION_NOT_FOUND" || error.errorCode === "INVALID_REQUEST"))
      return false
    throw refusalOf(error, identityType, ctx)
  }
}
