import { Redacted } from "effect"
import type { Account } from "../../foundation/delivery/Account.ts"
import type { Message } from "../../foundation/delivery/Message.ts"
import * as Reference from "../../message/sending/Reference.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { compose } from "../../message/template/compose.ts"
import type { Values } from "../../message/template/Placeholder.ts"
import type { TemplateContent } from "../../message/template/StoredTemplate.ts"
import type { Campaign } from "./Campaign.ts"
import { placesOf } from "./campaignText.ts"
import { deliveryIdOf, type Recipient } from "./Recipient.ts"

/** The parts that all messages of a campaign share. */
export interface Wording {
  readonly campaign: Campaign
  readonly content: TemplateContent
  readonly settings: Settings
  /** The merchant's own sending number; null for the channel's number. */
  readonly account: Account | null
}

/** Values that only verification messages use. */
const none: Values = { code: "", link: "", minutes: "", brand: "", appHash: "", domain: "" }

export const campaignMessage = ({ account, campaign, content, settings }: Wording, recipient: Recipient): Message => {
  const { channel, environment, id } = campaign
  const { phone, values } = recipient
  const places = placesOf(channel, content.body)
  const filling = { ...none, ...Object.fromEntries(places.map((place, i) => [place, values[i] ?? ""])) }
  const { options, rendered } = compose({ channel, purpose: "MESSAGE", content, values: filling }, settings)
  const deliveryId = deliveryIdOf(recipient)
  const common = {
    deliveryId,
    reference: Reference.format({ environment, ownerId: id, deliveryId }),
    to: phone,
    brand: settings.brand,
    locale: settings.locale,
    validForSeconds: null,
    expiresAt: null,
    options,
    ...(account === null ? {} : { account })
  }
  const { whatsappLanguage, whatsappName } = content
  return channel === "WHATSAPP"
    ? {
        ...common,
        _tag: "Template",
        text: Redacted.make(""),
        name: whatsappName ?? "",
        language: whatsappLanguage ?? "",
        values: values.map((value) => Redacted.make(value))
      }
    : { ...common, _tag: "Text", text: Redacted.make(rendered.text), answers: null }
}
