import { Redacted } from "effect"
import type { Delivery } from "../delivery/Delivery.ts"
import type { LinkMessage } from "../delivery/Message.ts"
import type { Settings } from "../merchant/Settings.ts"
import { builtInLink } from "../template/builtInLink.ts"
import { render } from "../template/Template.ts"
import type { Instant } from "../time/Instant.ts"
import { expiringMessage, minutesLeft } from "./expiringMessage.ts"
import type { Verification } from "./Verification.ts"

/** The message that brings a link, made when it is sent. */
export const linkMessage = (
  verification: Verification,
  delivery: Delivery,
  { base, token }: { readonly base: string; readonly token: string },
  settings: Settings,
  now: Instant
): LinkMessage => {
  const url = `${base}/${token}`
  const rendered = render(builtInLink(delivery.channel, settings.locale), {
    code: "",
    link: url,
    brand: settings.brand,
    minutes: minutesLeft(verification, now),
    appHash: "",
    domain: ""
  })
  return {
    _tag: "Link",
    url: Redacted.make(url),
    token: Redacted.make(token),
    ...expiringMessage(verification, delivery, rendered, settings, now)
  }
}
