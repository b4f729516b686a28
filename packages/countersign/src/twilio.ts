import type { ChannelSource, LineInfoSource, NumberVerifierSource } from "@countersign/http"
import { SilentNetworkAuth, Twilio } from "@countersign/twilio"
import { Effect } from "effect"
import { type Plain, plainSource } from "./plainSource.ts"

/** The Twilio account and senders. `publicUrl` defaults to the service's own. */
export interface TwilioOptions extends Plain<Twilio.Options> {}

/**
 * SMS through Twilio, and RCS with `rcsSender`.
 *
 * @example
 * ```ts
 * import { Countersign } from "countersign"
 * import { twilio } from "countersign/twilio"
 *
 * const countersign = await Countersign.make({
 *   database: process.env.DATABASE_URL,
 *   secret: process.env.COUNTERSIGN_SECRET,
 *   baseUrl: "https://app.example.com/verify",
 *   channels: [
 *     twilio({
 *       accountSid: process.env.TWILIO_ACCOUNT_SID,
 *       authToken: process.env.TWILIO_AUTH_TOKEN,
 *       from: process.env.TWILIO_FROM
 *     })
 *   ]
 * })
 * ```
 */
export const twilio: (options: TwilioOptions) => ChannelSource = plainSource(
  "twilio",
  {
    accountSid: "text",
    authToken: "secret",
    from: "text?",
    messagingServiceSid: "text?",
    rcsSender: "text?",
    apiUrl: "text?",
    publicUrl: "text?",
    perSecond: "number?",
    contentRetention: "text?",
    addressRetention: "text?",
    riskCheck: "text?"
  },
  (options, { publicUrl }) => Twilio.make({ publicUrl, ...options })
)

/** The Twilio account, and what it may look up. */
export interface TwilioLookupOptions extends Plain<Omit<Twilio.LookupOptions, "facts">> {
  /** `type`, `carrier`, `simSwapped`, `simSwappedAt`, `recycled`. Default: `type` and `carrier`. */
  readonly facts?: ReadonlyArray<string> | undefined
}

/**
 * Facts about phone lines through Twilio Lookup. Pass it in `lineInfo`, not in `channels`.
 *
 * @example
 * ```ts
 * import { Countersign } from "countersign"
 * import { twilioLookup } from "countersign/twilio"
 *
 * const countersign = await Countersign.make({
 *   database: "./data",
 *   channels: [],
 *   lineInfo: [
 *     twilioLookup({ accountSid: process.env.TWILIO_ACCOUNT_SID, authToken: process.env.TWILIO_AUTH_TOKEN })
 *   ]
 * })
 * ```
 */
export const twilioLookup: (options: TwilioLookupOptions) => LineInfoSource = plainSource(
  "twilio",
  {
    accountSid: "text",
    authToken: "secret",
    facts: "texts?",
    prefixes: "texts?",
    lookupUrl: "text?",
    apiUrl: "text?"
  },
  ({ facts, ...options }) =>
    Effect.map(Twilio.lineInfo({ ...options, facts: facts as Twilio.LookupOptions["facts"] }), (lookup) => [lookup])
)

/** The Twilio account and its Verify service. */
export interface SilentNetworkAuthOptions extends Plain<SilentNetworkAuth.Options> {}

/**
 * Verifies numbers over mobile data with Twilio's Silent Network Auth. Pass it in `verifiers`, not in `channels`.
 *
 * @example
 * ```ts
 * import { Countersign } from "countersign"
 * import { silentNetworkAuth } from "countersign/twilio"
 *
 * const countersign = await Countersign.make({
 *   database: "./data",
 *   channels: [],
 *   verifiers: [
 *     silentNetworkAuth({
 *       accountSid: process.env.TWILIO_ACCOUNT_SID,
 *       authToken: process.env.TWILIO_AUTH_TOKEN,
 *       verifyService: process.env.TWILIO_VERIFY_SERVICE
 *     })
 *   ]
 * })
 * ```
 */
export const silentNetworkAuth: (options: SilentNetworkAuthOptions) => NumberVerifierSource = plainSource(
  "twilio",
  { accountSid: "text", authToken: "secret", verifyService: "text", verifyUrl: "text?" },
  (options) => Effect.map(SilentNetworkAuth.make(options), (verifier) => [verifier])
)
