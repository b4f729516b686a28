import { Redacted } from "effect"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import type { CodeMessage } from "../../foundation/delivery/Message.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { mailLogo } from "../../account/merchant/logoAddress.ts"
import { compose } from "../../message/template/compose.ts"
import type { TemplateContent } from "../../message/template/StoredTemplate.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { expiringMessage, minutesLeft } from "./expiringMessage.ts"
import type { Verification } from "./Verification.ts"

/** Builds the message with a code, at the time of the send. `content` is the merchant's own template, if any. */
export const codeMessage = (
  verification: Verification,
  delivery: VerificationDelivery,
  { code, logos }: { readonly code: Redacted.Redacted; readonly logos: string | null },
  content: TemplateContent | null,
  settings: Settings,
  now: Instant
): CodeMessage => {
  const values = {
    code: Redacted.value(code),
    link: "",
    brand: settings.brand,
    minutes: minutesLeft(verification, now),
    appHash: settings.appHash ?? "",
    domain: settings.domain ?? ""
  }
  const logo = delivery.channel === "EMAIL" ? mailLogo(logos, verification.environment, settings) : null
  const composed = compose({ channel: delivery.channel, purpose: "CODE", content, values }, settings, logo)
  return { _tag: "Code", code, ...expiringMessage(verification, delivery, composed, settings, now) }
}
