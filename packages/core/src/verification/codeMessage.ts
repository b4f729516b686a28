import { Redacted } from "effect"
import type { Delivery } from "../delivery/Delivery.ts"
import type { CodeMessage } from "../delivery/Message.ts"
import type { Settings } from "../merchant/Settings.ts"
import { builtIn } from "../template/builtIn.ts"
import { render } from "../template/Template.ts"
import type { Instant } from "../time/Instant.ts"
import { expiringMessage, minutesLeft } from "./expiringMessage.ts"
import type { Verification } from "./Verification.ts"

/** The message that brings a code, made when it is sent. */
export const codeMessage = (
  verification: Verification,
  delivery: Delivery,
  code: Redacted.Redacted,
  settings: Settings,
  now: Instant
): CodeMessage => {
  const hints = { appHash: settings.appHash ?? "", domain: settings.domain ?? "" }
  const rendered = render(builtIn(delivery.channel, settings.locale, hints), {
    code: Redacted.value(code),
    link: "",
    brand: settings.brand,
    minutes: minutesLeft(verification, now),
    ...hints
  })
  return { _tag: "Code", code, ...expiringMessage(verification, delivery, rendered, settings, now) }
}
