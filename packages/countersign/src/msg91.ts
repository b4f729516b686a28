import type { ChannelSource } from "@countersign/http"
import { Msg91 } from "@countersign/msg91"
import { Effect } from "effect"
import { type Plain, plainSource } from "./plainSource.ts"

/** The MSG91 account and template. */
export interface Msg91Options extends Plain<Msg91.Options> {}

/**
 * SMS through MSG91, with the text registered at DLT.
 *
 * @example
 * ```ts
 * import { msg91 } from "countersign/msg91"
 *
 * const sms = msg91({ authKey: process.env.MSG91_AUTH_KEY, templateId: process.env.MSG91_TEMPLATE_ID })
 * ```
 */
export const msg91: (options: Msg91Options) => ChannelSource = plainSource(
  "msg91",
  {
    authKey: "secret",
    templateId: "text",
    codeVariable: "text?",
    webhookSecret: "secret?",
    apiUrl: "text?",
    perSecond: "number?"
  },
  (options) => Effect.map(Msg91.make(options), (channel) => [channel])
)
