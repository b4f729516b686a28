import type { WhatsApp } from "@countersign/whatsapp"
import { Effect, Redacted } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import type { Variable, VariableGroup } from "../variables/Variable.ts"
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
  /** `name` or `name/language`. Undefined when WhatsApp sends no links. */
  readonly linkTemplate: string | undefined
  readonly apiUrl: string | undefined
}

const required = ["ACCESS_TOKEN", "PHONE_NUMBER_IDS", "APP_SECRET", "VERIFY_TOKEN", "TEMPLATE"].map(
  (name) => `WHATSAPP_${name}`
)

const row = (name: string, rest: Omit<Variable, "name">): Variable => ({
  name: `WHATSAPP_${name}`,
  needs: required.filter((one) => one !== `WHATSAPP_${name}`),
  ...rest
})

const group: VariableGroup = {
  id: "whatsapp",
  title: "WhatsApp through Meta's Cloud API",
  prefix: "WHATSAPP_",
  together: true,
  variables: [
    row("ACCESS_TOKEN", {
      about: "the access token of a system user",
      example: "EAAG…",
      secret: true,
      more: "See [WhatsApp](channels/whatsapp.md)"
    }),
    row("PHONE_NUMBER_IDS", {
      about: "a comma-separated list of the phone number ids to send from",
      example: "106540352242922"
    }),
    row("APP_SECRET", {
      about: "the app secret, which verifies Meta's reports",
      example: "32 hex digits",
      secret: true
    }),
    row("VERIFY_TOKEN", {
      about: "a long random value that you choose and enter once in Meta's console",
      example: "openssl rand -hex 16",
      secret: true
    }),
    row("TEMPLATE", {
      about: "the template for codes, as `name` or `name/language`; the language defaults to `en`",
      example: "login_code/en"
    }),
    row("LINK_TEMPLATE", {
      about: "the template for sign-in links, in the same format",
      default: "none: WhatsApp sends no links",
      example: "signin_link/en",
      more: "See [how to make it](channels/whatsapp.md#the-template-for-links)"
    }),
    row("WABA_ID", { about: "the WhatsApp business account's id", example: "102290129340398" }),
    {
      name: "WHATSAPP_API_URL",
      about: "the API's URL, for proxies and tests",
      default: "`https://graph.facebook.com`",
      example: "http://127.0.0.1:9002"
    }
  ]
}

const read = (reader: VariableReader): WhatsAppConfiguration | undefined => {
  if (!reader.wants(group.variables)) return undefined
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
/** Stands for an unreadable template. The adapter rejects it together with all other problems. */
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
  group,
  read,
  channels,
  switch: () => "WHATSAPP_ACCESS_TOKEN"
}
