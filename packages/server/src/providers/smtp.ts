import type { Smtp } from "@countersign/smtp"
import { Effect, Redacted } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import { inVariables } from "./inVariables.ts"

export interface SmtpConfiguration {
  readonly url: Redacted.Redacted
  readonly from: string
}

/** Every variable of SMTP. */
export const names: ReadonlyArray<string> = ["SMTP_URL", "SMTP_FROM"]

/** What the environment says of it; undefined when it says nothing. */
export const read = (reader: VariableReader): SmtpConfiguration | undefined => {
  if (!reader.wants(names, names)) return undefined
  return { url: Redacted.make(reader.text("SMTP_URL") ?? ""), from: reader.text("SMTP_FROM") ?? "" }
}

/** The options that the environment sets. */
type Set = Pick<Smtp.SmtpOptions, keyof SmtpConfiguration>

const variables: { readonly [option in keyof Set]-?: string } = { url: "SMTP_URL", from: "SMTP_FROM" }

/** E-mail through an SMTP server. */
export const channels = Effect.fnUntraced(function* (options: SmtpConfiguration) {
  const { Smtp } = yield* Effect.promise(() => import("@countersign/smtp"))
  return [yield* Effect.mapError(Smtp.make(options), inVariables(variables))]
})
