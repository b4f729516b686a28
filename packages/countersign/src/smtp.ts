import type { ChannelSource } from "@countersign/http"
import { Smtp } from "@countersign/smtp"
import { Effect } from "effect"
import { type Plain, plainSource } from "./plainSource.ts"

/** The mail server and the sender. */
export interface SmtpOptions extends Plain<Parameters<typeof Smtp.make>[0]> {}

/**
 * E-mail through any SMTP server.
 *
 * @example
 * ```ts
 * import { smtp } from "countersign/smtp"
 *
 * const email = smtp({ url: process.env.SMTP_URL, from: "Acme <codes@acme.example>" })
 * ```
 */
export const smtp: (options: SmtpOptions) => ChannelSource = plainSource(
  "smtp",
  { url: "secret", from: "text", maxConnections: "number?" },
  (options) => Effect.map(Smtp.make(options), (channel) => [channel])
)
