import { Redacted } from "effect"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import type { CodeMessage } from "../../foundation/delivery/Message.ts"
import * as Reference from "../../message/sending/Reference.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import type { Composed } from "../../message/template/compose.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Verification } from "./Verification.ts"

/** How many minutes a message remains valid, at least one. */
export const minutesLeft = ({ expiresAt }: Verification, now: Instant): string =>
  String(Math.max(1, Math.round((expiresAt - now) / 60_000)))

/** The common part of the messages with a code or a link. */
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
  // Options of the request override those of the template.
  options: { ...options, ...delivery.options }
})
