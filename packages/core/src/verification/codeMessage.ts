import { Redacted } from "effect"
import type { Delivery } from "../delivery/Delivery.ts"
import type { CodeMessage } from "../delivery/Message.ts"
import * as Reference from "../delivery/Reference.ts"
import type { Settings } from "../merchant/Settings.ts"
import { builtIn } from "../template/builtIn.ts"
import { render } from "../template/Template.ts"
import type { Instant } from "../time/Instant.ts"
import type { Verification } from "./Verification.ts"

/** The message that brings a code, made when it is sent. */
export const codeMessage = (
  verification: Verification,
  delivery: Delivery,
  code: Redacted.Redacted,
  settings: Settings,
  now: Instant
): CodeMessage => {
  const { environment, expiresAt, id, identity } = verification
  const { brand, locale } = settings
  const hints = { appHash: settings.appHash ?? "", domain: settings.domain ?? "" }
  const { html, subject, text } = render(builtIn(delivery.channel, locale, hints), {
    code: Redacted.value(code),
    brand,
    minutes: String(Math.max(1, Math.round((expiresAt - now) / 60_000))),
    ...hints
  })
  return {
    _tag: "Code",
    deliveryId: delivery.id,
    reference: Reference.format({ environment, ownerId: id, deliveryId: delivery.id }),
    to: identity.type === "MOBILE" ? `+${identity.canonical}` : identity.spelling,
    code,
    subject: Redacted.make(subject),
    text: Redacted.make(text),
    html: html === null ? null : Redacted.make(html),
    brand,
    locale,
    validForSeconds: Math.max(1, Math.floor((expiresAt - now) / 1_000)),
    expiresAt,
    options: delivery.options
  }
}
