import type { ChannelSource } from "@countersign/http"
import { Vonage } from "@countersign/vonage"
import { Effect } from "effect"
import { type Plain, plainSource } from "./plainSource.ts"

/** The Vonage account and sender. `publicUrl` defaults to the service's own. */
export interface VonageOptions extends Plain<Vonage.Options> {}

/**
 * SMS through Vonage.
 *
 * @example
 * ```ts
 * import { vonage } from "countersign/vonage"
 *
 * const sms = vonage({
 *   apiKey: process.env.VONAGE_API_KEY,
 *   apiSecret: process.env.VONAGE_API_SECRET,
 *   signatureSecret: process.env.VONAGE_SIGNATURE_SECRET,
 *   from: "Acme"
 * })
 * ```
 */
export const vonage: (options: VonageOptions) => ChannelSource = plainSource(
  "vonage",
  {
    from: "text",
    applicationId: "text?",
    privateKey: "secret?",
    apiKey: "text?",
    apiSecret: "secret?",
    signatureSecret: "secret?",
    entityId: "text?",
    publicUrl: "text?",
    apiUrl: "text?",
    perSecond: "number?"
  },
  (options, { publicUrl }) => Effect.map(Vonage.make({ publicUrl, ...options }), (channel) => [channel])
)
