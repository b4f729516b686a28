import { Redacted } from "effect"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import type { LinkMessage } from "../../foundation/delivery/Message.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { mailLogo } from "../../account/merchant/logoAddress.ts"
import { compose } from "../../message/template/compose.ts"
import type { TemplateContent } from "../../message/template/StoredTemplate.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { expiringMessage, minutesLeft } from "./expiringMessage.ts"
import type { Verification } from "./Verification.ts"

/** Builds the message with a link, at the time of the send. `content` is the merchant's own template, if any. */
export const linkMessage = (
  verification: Verification,
  delivery: VerificationDelivery,
  { base, logos, token }: { readonly base: string; readonly token: string; readonly logos: string | null },
  content: TemplateContent | null,
  settings: Settings,
  now: Instant
): LinkMessage => {
  const url = `${base}/${token}`
  const values = {
    code: "",
    link: url,
    brand: settings.brand,
    minutes: minutesLeft(verification, now),
    appHash: settings.appHash ?? "",
    domain: settings.domain ?? ""
  }
  const logo = delivery.channel === "EMAIL" ? mailLogo(logos, verification.environment, settings) : null
  const composed = compose({ channel: delivery.channel, purpose: "LINK", content, values }, settings, logo)
  return {
    _tag: "Link",
    url: Redacted.make(url),
    token: Redacted.make(token),
    ...expiringMessage(verification, delivery, composed, settings, now)
  }
}
