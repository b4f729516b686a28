import type { WhatsApp } from "@countersign/whatsapp"
import { Effect, Redacted } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import { inVariables } from "./inVariables.ts"
import type { Provider } from "./Provider.ts"

export interface WhatsAppConfiguration {
  readonly accessToken: Redacted.Redacted
  readonly phoneNumberIds: ReadonlyArray<string>
  readonly wabaId: string | undefined
  readonly appSecret: Redacted.Redacted
  readonly verifyToken: Redacted.Redacted
  /** `name` or `name/language`. */
  readonly template: string
  /** The same; undefined where no links go over WhatsApp. */
  readonly linkTemplate: string | undefined
  readonly apiUrl: string | undefined
}

const required = ["ACCESS_TOKEN", "PHONE_NUMBER_IDS", "APP_SECRET", "VERIFY_TOKEN", "TEMPLATE"].map(
  (name) => `WHATSAPP_${name}`
)

const optional = ["WHATSAPP_LINK_TEMPLATE", "WHATSAPP_WABA_ID"]

const read = (reader: VariableReader): WhatsAppConfiguration | undefined => {
  if (!reader.wants([...required, ...optional], required)) return undefined
  return {
    accessToken: Redacted.make(reader.text("WHATSAPP_ACCESS_TOKEN") ?? ""),
    phoneNumberIds: (reader.text("WHATSAPP_PHONE_NUMBER_IDS") ?? "").split(",").map((id) => id.trim()),
    wabaId: reader.text("WHATSAPP_WABA_ID"),
    appSecret: Redacted.make(reader.text("WHATSAPP_APP_SECRET") ?? ""),
    verifyToken: Redacted.make(reader.text("WHATSAPP_VERIFY_TOKEN") ?? ""),
    template: reader.text("WHATSAPP_TEMPLATE") ?? "",
    linkTemplate: reader.text("WHATSAPP_LINK_TEMPLATE"),
    apiUrl: reader.text("WHATSAPP_API_URL")
  }
}

const names: ReadonlyArray<string> = [...required, ...optional, "WHATSAPP_API_URL"]

/** The options that the environment sets. */
type Set = Pick<WhatsApp.Options, keyof WhatsAppConfiguration>

const variables: { readonly [option in keyof Set]-?: string } = {
  accessToken: "WHATSAPP_ACCESS_TOKEN",
  phoneNumberIds: "WHATSAPP_PHONE_NUMBER_IDS",
  wabaId: "WHATSAPP_WABA_ID",
  appSecret: "WHATSAPP_APP_SECRET",
  verifyToken: "WHATSAPP_VERIFY_TOKEN",
  template: "WHATSAPP_TEMPLATE",
  linkTemplate: "WHATSAPP_LINK_TEMPLATE",
  apiUrl: "WHATSAPP_API_URL"
}

const refreshEvery = "5 minutes"
/** What is no name of a template in any spelling: the adapter refuses it together with everything else. */
const noTemplate = { name: "", language: "" }

const channels = Effect.fnUntraced(function* (options: WhatsAppConfiguration) {
  const { WhatsApp } = yield* Effect.promise(() => import("@countersign/whatsapp"))
  const { FetchHttpClient } = yield* Effect.promise(() => import("effect/http"))
  const named = (template: string) => WhatsApp.parseTemplate(template) ?? noTemplate
  const template = named(options.template)
  const linkTemplate = options.linkTemplate === undefined ? undefined : named(options.linkTemplate)
  const channel = yield* WhatsApp.make({ ...options, template, linkTemplate, refreshEvery }).pipe(
    Effect.provide(FetchHttpClient.layer),
    Effect.mapError(inVariables(variables))
  )
  return [channel]
})

/** WhatsApp through Meta's Cloud API. */
export const provider: Provider<WhatsAppConfiguration> = {
  names,
  read,
  channels,
  switch: () => "WHATSAPP_ACCESS_TOKEN"
}
