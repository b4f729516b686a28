import type { Smtp } from "@countersign/smtp"
import { Effect, Redacted } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import { inVariables } from "./inVariables.ts"
import type { Provider } from "./Provider.ts"

export interface SmtpConfiguration {
  readonly url: Redacted.Redacted
  readonly from: string
}

const names: ReadonlyArray<string> = ["SMTP_URL", "SMTP_FROM"]

const read = (reader: VariableReader): SmtpConfiguration | undefined => {
  if (!reader.wants(names, names)) return undefined
  return { url: Redacted.make(reader.text("SMTP_URL") ?? ""), from: reader.text("SMTP_FROM") ?? "" }
}

/** The options that the environment sets. */
type Set = Pick<Smtp.SmtpOptions, keyof SmtpConfiguration>

const variables: { readonly [option in keyof Set]-?: string } = { url: "SMTP_URL", from: "SMTP_FROM" }

const channels = Effect.fnUntraced(function* (options: SmtpConfiguration) {
  const { Smtp } = yield* Effect.promise(() => import("@countersign/smtp"))
  return [yield* Effect.mapError(Smtp.make(options), inVariables(variables))]
})

/** E-mail through an SMTP server. */
export const provider: Provider<SmtpConfiguration> = { names, read, channels, switch: () => "SMTP_URL" }
