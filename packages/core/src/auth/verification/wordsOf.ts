import type { VerificationDelivery } from "./VerificationDelivery.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { compose } from "../../message/template/compose.ts"
import type { TemplateContent } from "../../message/template/StoredTemplate.ts"
import { minutesLeft } from "./expiringMessage.ts"
import { settingsOf } from "./trial.ts"
import type { Verification } from "./Verification.ts"

/** The text of a message to a person, without anything that would verify them. */
export interface Words {
  /** E-mail only. */
  readonly subject: string | null
  /** Null when only the provider has the text. */
  readonly text: string | null
}

const dot = "•"

/**
 * Renders a message with dots for its code or link, using the current settings. `content` is the merchant's own
 * template, or null for the built-in text.
 */
export const wordsOf = (
  verification: Verification,
  delivery: VerificationDelivery,
  content: TemplateContent | null,
  given: Settings
): Words => {
  const settings = settingsOf(verification, verification.trial, given)
  const { expiresAt, sentAt } = verification
  const values = {
    code: dot.repeat(verification.codeLength),
    link: `https://${dot.repeat(6)}`,
    brand: settings.brand,
    // A resend extends the expiry, so each message showed the same validity as the last one.
    minutes: minutesLeft(verification, Math.min(sentAt, expiresAt)),
    appHash: settings.appHash ?? "",
    domain: settings.domain ?? ""
  }
  const { channel } = delivery
  const purpose = verification.kind === "Link" ? "LINK" : "CODE"
  const { rendered } = compose({ channel, purpose, content, values }, settings)
  const isProviders = content !== null && content.body === null
  return {
    subject: channel === "EMAIL" ? rendered.subject : null,
    text: isProviders ? null : rendered.text
  }
}
