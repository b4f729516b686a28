import type { Smtp } from "@countersign/smtp"
import { Effect, Redacted } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "../variables/Variable.ts"
import { inVariables } from "./inVariables.ts"
import type { Provider } from "./Provider.ts"

export interface SmtpConfiguration {
  readonly url: Redacted.Redacted
  readonly from: string
}

const group: VariableGroup = {
  id: "smtp",
  title: "E-mail over SMTP",
  prefix: "SMTP_",
  together: true,
  variables: [
    {
      name: "SMTP_URL",
      about: "the mail server with its user and password: `smtp://…` for port 587, or `smtps://…`",
      example: "smtp://user:password@mail.example.com:587",
      secret: true,
      needs: ["SMTP_FROM"],
      more: "See [e-mail](channels/smtp.md)"
    },
    {
      name: "SMTP_FROM",
      about: "the sender: an address, with or without a name",
      example: "Acme <codes@acme.example>",
      needs: ["SMTP_URL"]
    }
  ]
}

const read = (reader: VariableReader): SmtpConfiguration | undefined => {
  if (!reader.wants(group.variables)) return undefined
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
export const provider: Provider<SmtpConfiguration> = { group, read, channels, switch: () => "SMTP_URL" }
