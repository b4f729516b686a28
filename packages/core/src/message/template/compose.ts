import { Redacted } from "effect"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { SendOptions } from "../../foundation/delivery/Delivery.ts"
import type { ProviderTemplate } from "../../foundation/delivery/Message.ts"
import { lookOf } from "../../account/merchant/brandLook.ts"
import type { MailLogo } from "../../account/merchant/logoAddress.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { builtIn } from "./builtIn.ts"
import { builtInLink } from "./builtInLink.ts"
import { namesIn, type Values } from "./Placeholder.ts"
import type { TemplateContent, TemplatePurpose } from "./StoredTemplate.ts"
import { type Rendered, render, type Template } from "./Template.ts"

/** The content to send, and its channel. */
export interface Wording {
  readonly channel: ChannelName
  readonly purpose: TemplatePurpose
  /** The merchant's own content; null for the built-in text. */
  readonly content: TemplateContent | null
  readonly values: Values & { readonly [name: string]: string }
}

/** A composed message: its text, the provider's template, and the send options. */
export interface Composed {
  readonly rendered: Rendered
  readonly template: ProviderTemplate | null
  readonly options: SendOptions
}

const builtInFor = (
  { channel, purpose }: Wording,
  { appHash, brandColor, domain, locale }: Pick<Settings, "appHash" | "brandColor" | "domain" | "locale">,
  logo: MailLogo | null
): Template => {
  const look = { colours: lookOf(brandColor), logo }
  return purpose === "LINK"
    ? builtInLink(channel, locale, look)
    : builtIn(channel, locale, { appHash: appHash ?? "", domain: domain ?? "" }, look)
}

/** Returns the placeholders of a text in order, with repeats. It leaves out the link, which goes into a button. */
export const valuesIn = (purpose: TemplatePurpose, body: string | null): ReadonlyArray<string> => {
  if (purpose === "CODE") return ["code"]
  // Only the provider has this text. Its single value is the brand, as in the service's own link template.
  if (body === null) return purpose === "LINK" ? ["brand"] : []
  return namesIn(body).filter((name) => name !== "link")
}

const providerTemplate = ({ content, purpose, values }: Wording): ProviderTemplate | null =>
  content === null || content.whatsappName === null || content.whatsappLanguage === null
    ? null
    : {
        name: content.whatsappName,
        language: content.whatsappLanguage,
        values: valuesIn(purpose, content.body).map((name) => Redacted.make(values[name] ?? ""))
      }

const optionsOf = ({ dltTemplateId, header, numberId }: TemplateContent): SendOptions => ({
  ...(dltTemplateId === null ? {} : { templateId: dltTemplateId }),
  ...(header === null ? {} : { header }),
  ...(numberId === null ? {} : { wabaId: numberId })
})

/**
 * Composes a message. Sends and previews share it, so a preview shows exactly what is sent. Only the built-in e-mails
 * show the logo.
 */
export const compose = (wording: Wording, settings: Settings, logo: MailLogo | null = null): Composed => {
  const { channel, content, purpose, values } = wording
  const template =
    content === null || content.body === null
      ? builtInFor(wording, settings, logo)
      : {
          name: "",
          purpose,
          channel,
          locale: settings.locale,
          version: 1,
          subject: content.subject,
          body: content.body,
          html: content.html
        }
  return {
    rendered: render(template, values),
    template: providerTemplate(wording),
    options: content === null ? {} : optionsOf(content)
  }
}
