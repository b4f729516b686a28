import type { AuthContext } from "./AuthContext.ts"
import { checkCode, sendCode } from "./Codes.ts"
import type { VerificationClient } from "./VerificationClient.ts"

interface Numbered {
  readonly phoneNumber: string
  readonly code: string
}

/** The options of better-auth's `phoneNumber` plugin that make Countersign create, send and check its codes. */
export interface PhoneNumberOptions {
  readonly sendOTP: (data: Numbered, ctx?: AuthContext) => Promise<void>
  readonly verifyOTP: (data: Numbered, ctx?: AuthContext) => Promise<boolean>
  readonly sendPasswordResetOTP: (data: Numbered, ctx?: AuthContext) => Promise<void>
  /** Accepts `+` and digits only, because better-auth finds users by the text of their number. */
  readonly phoneNumberValidator: (phoneNumber: string) => boolean
}

/** better-auth always passes the context; only its types allow none. */
export const present = (ctx: AuthContext | undefined): AuthContext => {
  if (ctx === undefined) throw new Error("@countersign/better-auth needs the context that better-auth 1.7 passes")
  return ctx
}

export const phoneNumberOptions = (
  client: () => Promise<VerificationClient>,
  channel: string | undefined
): PhoneNumberOptions => {
  const recipient = (phoneNumber: string, purpose: string) =>
    ({ identity: phoneNumber, identityType: "MOBILE", purpose: `phone ${purpose}` }) as const
  const send = (purpose: string) => (data: Numbered, ctx?: AuthContext) =>
    sendCode(client, recipient(data.phoneNumber, purpose), channel, present(ctx))
  return {
    sendOTP: send("sign-in"),
    sendPasswordResetOTP: send("password-reset"),
    verifyOTP: ({ code, phoneNumber }, ctx) => {
      const purpose = ctx?.path === "/phone-number/reset-password" ? "password-reset" : "sign-in"
      return checkCode(client, recipient(phoneNumber, purpose), code, present(ctx))
    },
    phoneNumberValidator: (phoneNumber) => /^\+[1-9]\d{5,14}$/.test(phoneNumber)
  }
}
