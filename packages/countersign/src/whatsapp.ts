import type { ChannelSource } from "@countersign/http"
import { WhatsApp } from "@countersign/whatsapp"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { type Plain, plainSource } from "./plainSource.ts"

/** The WhatsApp business account, numbers and templates. */
export interface WhatsAppOptions extends Plain<Omit<WhatsApp.Options, "linkTemplate" | "refreshEvery" | "template">> {
  /** The approved template for codes, as `name` or `name/language`. Its category must be AUTHENTICATION. */
  readonly template: string | undefined
  /** The approved template for sign-in links, category UTILITY. Without it, WhatsApp sends no links. */
  readonly linkTemplate?: string | undefined
}

const refreshEvery = "5 minutes"
/** Stands for an unreadable template. The adapter rejects it together with all other problems. */
const noTemplate = { name: "", language: "" }
const named = (template: string) => WhatsApp.parseTemplate(template) ?? noTemplate

/**
 * Codes over WhatsApp, through Meta's Cloud API.
 *
 * @example
 * ```ts
 * import { whatsapp } from "countersign/whatsapp"
 *
 * const channel = whatsapp({
 *   accessToken: process.env.WHATSAPP_ACCESS_TOKEN,
 *   phoneNumberIds: ["106540352242922"],
 *   appSecret: process.env.WHATSAPP_APP_SECRET,
 *   verifyToken: process.env.WHATSAPP_VERIFY_TOKEN,
 *   template: "login_code/en"
 * })
 * ```
 */
export const whatsapp: (options: WhatsAppOptions) => ChannelSource = plainSource(
  "whatsapp",
  {
    accessToken: "secret",
    phoneNumberIds: "texts",
    wabaId: "text?",
    appSecret: "secret",
    verifyToken: "secret",
    template: "text",
    linkTemplate: "text?",
    apiUrl: "text?",
    version: "text?",
    perSecond: "number?"
  },
  ({ linkTemplate, template, ...options }) =>
    WhatsApp.make({
      ...options,
      template: named(template),
      ...(linkTemplate === undefined ? {} : { linkTemplate: named(linkTemplate) }),
      refreshEvery
    }).pipe(
      Effect.map((channel) => [channel]),
      Effect.provide(FetchHttpClient.layer)
    )
)
