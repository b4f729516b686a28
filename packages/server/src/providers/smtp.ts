import type { Smtp } from "@countersign/smtp"
import { Effect } from "effect"
import type { SmtpConfiguration } from "../Configuration.ts"
import { inVariables } from "./inVariables.ts"

/** The options that the environment sets. */
type Set = Pick<Smtp.SmtpOptions, keyof SmtpConfiguration>

const variables: { readonly [option in keyof Set]-?: string } = { url: "SMTP_URL", from: "SMTP_FROM" }

/** E-mail through an SMTP server. */
export const channels = Effect.fnUntraced(function* (options: SmtpConfiguration) {
  const { Smtp } = yield* Effect.promise(() => import("@countersign/smtp"))
  return [yield* Effect.mapError(Smtp.make(options), inVariables(variables))]
})
