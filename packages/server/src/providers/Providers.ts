import type { Channel } from "@countersign/core"
import { Effect, type Scope } from "effect"
import { FetchHttpClient } from "effect/http"
import { InvalidConfiguration, type ProviderConfiguration } from "../Configuration.ts"

/** What an adapter calls its options, as the operator calls them. */
const variables: { readonly [option: string]: string } = {
  accountSid: "TWILIO_ACCOUNT_SID",
  authToken: "TWILIO_AUTH_TOKEN",
  from: "TWILIO_FROM",
  messagingServiceSid: "TWILIO_MESSAGING_SERVICE_SID",
  rcsSender: "TWILIO_RCS_SENDER",
  publicUrl: "PUBLIC_URL",
  accessToken: "WHATSAPP_ACCESS_TOKEN",
  phoneNumberIds: "WHATSAPP_PHONE_NUMBER_IDS",
  wabaId: "WHATSAPP_WABA_ID",
  appSecret: "WHATSAPP_APP_SECRET",
  verifyToken: "WHATSAPP_VERIFY_TOKEN",
  template: "WHATSAPP_TEMPLATE"
}

/** An adapter's word about its options, as a line about variables. */
const inVariables =
  (own: { readonly [option: string]: string }, otherwise: string) =>
  ({ problem }: { readonly problem: string }) => {
    const names = { ...variables, ...own }
    const line = problem.replace(/\b[a-z][A-Za-z]+\b/g, (word) => names[word] ?? word)
    const leading = Object.values(names).find((name) => line.startsWith(name)) ?? otherwise
    return new InvalidConfiguration({
      problems: [line.startsWith(leading) ? line.replace(" ", ": ") : `${leading}: ${line}`]
    })
  }

const refreshEvery = "5 minutes"

// Adapters are loaded only where they are configured: a vendor's library can cost more than all the rest of a start.

const twilio = Effect.fnUntraced(function* (options: NonNullable<ProviderConfiguration["twilio"]>, publicUrl: string) {
  const { Twilio } = yield* Effect.promise(() => import("@countersign/twilio"))
  return yield* Effect.mapError(
    Twilio.make({ ...options, publicUrl }),
    inVariables({ apiUrl: "TWILIO_API_URL" }, "TWILIO_FROM")
  )
})

const whatsapp = Effect.fnUntraced(function* (options: NonNullable<ProviderConfiguration["whatsapp"]>) {
  const { WhatsApp } = yield* Effect.promise(() => import("@countersign/whatsapp"))
  const template = WhatsApp.parseTemplate(options.template)
  if (template === null) {
    return yield* new InvalidConfiguration({ problems: ["WHATSAPP_TEMPLATE: must be name or name/language"] })
  }
  const channel = yield* WhatsApp.make({ ...options, template, refreshEvery }).pipe(
    Effect.provide(FetchHttpClient.layer),
    Effect.mapError(inVariables({ apiUrl: "WHATSAPP_API_URL" }, "WHATSAPP_PHONE_NUMBER_IDS"))
  )
  return [channel]
})

const smtp = Effect.fnUntraced(function* (options: NonNullable<ProviderConfiguration["smtp"]>) {
  const { Smtp } = yield* Effect.promise(() => import("@countersign/smtp"))
  const channel = yield* Effect.mapError(
    Smtp.make(options),
    inVariables({ url: "SMTP_URL", from: "SMTP_FROM" }, "SMTP_URL")
  )
  return [channel]
})

/** The channels of every configured provider. A provider that cannot work stops the start, never a request. */
export const channels = (
  configuration: ProviderConfiguration,
  publicUrl: string
): Effect.Effect<ReadonlyArray<Channel>, InvalidConfiguration, Scope.Scope> =>
  Effect.map(
    Effect.all([
      configuration.twilio === undefined ? Effect.succeed([]) : twilio(configuration.twilio, publicUrl),
      configuration.whatsapp === undefined ? Effect.succeed([]) : whatsapp(configuration.whatsapp),
      configuration.smtp === undefined ? Effect.succeed([]) : smtp(configuration.smtp)
    ]),
    (made) => made.flat()
  )
