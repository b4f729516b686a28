import type { WhatsApp } from "@countersign/whatsapp"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import type { WhatsAppConfiguration } from "../Configuration.ts"
import { inVariables } from "./inVariables.ts"

/** The options that the environment sets. */
type Set = Pick<WhatsApp.Options, keyof WhatsAppConfiguration>

const variables: { readonly [option in keyof Set]-?: string } = {
  accessToken: "WHATSAPP_ACCESS_TOKEN",
  phoneNumberIds: "WHATSAPP_PHONE_NUMBER_IDS",
  wabaId: "WHATSAPP_WABA_ID",
  appSecret: "WHATSAPP_APP_SECRET",
  verifyToken: "WHATSAPP_VERIFY_TOKEN",
  template: "WHATSAPP_TEMPLATE",
  apiUrl: "WHATSAPP_API_URL"
}

const refreshEvery = "5 minutes"
/** What is no name of a template in any spelling: the adapter refuses it together with everything else. */
const noTemplate = { name: "", language: "" }

/** WhatsApp through Meta's Cloud API. */
export const channels = Effect.fnUntraced(function* (options: WhatsAppConfiguration) {
  const { WhatsApp } = yield* Effect.promise(() => import("@countersign/whatsapp"))
  const template = WhatsApp.parseTemplate(options.template) ?? noTemplate
  const channel = yield* WhatsApp.make({ ...options, template, refreshEvery }).pipe(
    Effect.provide(FetchHttpClient.layer),
    Effect.mapError(inVariables(variables))
  )
  return [channel]
})
