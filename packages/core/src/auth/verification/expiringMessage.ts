import { Redacted } from "effect"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import type { CodeMessage } from "../../foundation/delivery/Message.ts"
import * as Reference from "../../message/sending/Reference.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import type { Composed } from "../../message/template/compose.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Verification } from "./Verification.ts"

/** How long it is still of use, in the words of a message: at least a minute. */
export const minutesLeft = ({ expiresAt }: Verification, now: Instant): string =>
  String(Math.max(1, Math.round((expiresAt - now) / 60_000)))

/** What the messages of a verification have in common, whether they bring a code or a link. */
export const expiringMessage = (
  { environment, expiresAt, id, identity }: Verification,
  delivery: VerificationDelivery,
  { options, rendered: { html, subject, text }, template }: Composed,
  { brand, locale }: Settings,
  now: Instant
): Omit<CodeMessage, "_tag" | "code"> => ({
  deliveryId: delivery.id,
  reference: Reference.format({ environment, ownerId: id, deliveryId: delivery.id }),
  to: identity.type === "MOBILE" ? `+${identity.canonical}` : identity.spelling,
  subject: Redacted.make(subject),
  text: Redacted.make(text),
  html: html === null ? null : Redacted.make(html),
  brand,
  locale,
  validForSeconds: Math.max(1, Math.floor((expiresAt - now) / 1_000)),
  expiresAt,
  ...(template === null ? {} : { template }),
  // What the request asked for goes before what the template says.
  options: { ...options, ...delivery.options }
})
