import type { ServerOptions } from "@countersign/sdk/server"
import { type AuthOptions, pluginOf } from "./AuthContext.ts"
import { type EmailOTPOptions, emailOTPParts } from "./emailOTP.ts"
import type { Hook } from "./hooks.ts"
import { type MagicLinkOptions, magicLinkParts } from "./magicLink.ts"
import { type PhoneNumberOptions, phoneNumberOptions } from "./phoneNumber.ts"
import { type ClientOptions, clientOf } from "./VerificationClient.ts"

/** The options of `countersign`: a server's address and key, or a client. */
export type CountersignOptions = (ClientOptions | ServerOptions) & {
  /** The channel of codes to phone numbers, such as `WHATSAPP`. Default: the first channel of the server. */
  readonly channel?: string | undefined
}

/** A better-auth plugin, and the options for the plugins of better-auth that Countersign works for. */
export interface CountersignPlugin {
  readonly id: "countersign"
  readonly init: (context: { readonly options: AuthOptions }) => void
  readonly hooks: { readonly before: Array<Hook>; readonly after: Array<Hook> }
  readonly phoneNumber: PhoneNumberOptions
  readonly emailOTP: EmailOTPOptions
  readonly magicLink: MagicLinkOptions
}

/** Fails where better-auth would accept codes of its own beside those of Countersign, or none at all. */
const requireWhole = (options: AuthOptions, id: string, ours: object) => {
  const installed = pluginOf(options, id)?.options ?? {}
  const functions = Object.entries(ours).filter(
    ([name, value]) => typeof value === "function" && name !== "phoneNumberValidator"
  )
  const missing = functions.filter(([name, value]) => installed[name] !== value).map(([name]) => name)
  if (missing.length > 0 && missing.length < functions.length)
    throw new Error(
      `The plugin ${id} takes only some of its options from countersign(…): spread all of them, and leave out your own ${missing.join(", ")}`
    )
}

/**
 * Lets Countersign create, send and check the codes and links of better-auth. Add the value itself to the plugins, and
 * spread its parts into those of better-auth that you use.
 *
 * @example
 * ```ts
 * import { countersign } from "@countersign/better-auth"
 *
 * const codes = countersign({
 *   baseUrl: "https://verify.example.com",
 *   clientId: "cs_live_…",
 *   clientSecret: "sk_live_…"
 * })
 *
 * // betterAuth({ plugins: [phoneNumber({ ...codes.phoneNumber }), emailOTP({ ...codes.emailOTP }), codes] })
 * export const plugins = [codes]
 * ```
 */
export const countersign = (options: CountersignOptions): CountersignPlugin => {
  const client = clientOf(options)
  const phoneNumber = phoneNumberOptions(client, options.channel)
  const emailOTP = emailOTPParts(client)
  const magicLink = magicLinkParts(client)
  return {
    id: "countersign",
    init: (context) => {
      requireWhole(context.options, "phone-number", phoneNumber)
      requireWhole(context.options, "email-otp", emailOTP.options)
    },
    hooks: { before: [...emailOTP.before, ...magicLink.before], after: [...emailOTP.after] },
    phoneNumber,
    emailOTP: emailOTP.options,
    magicLink: magicLink.options
  }
}
