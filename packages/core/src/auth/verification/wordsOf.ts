import type { VerificationDelivery } from "./VerificationDelivery.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { compose } from "../../message/template/compose.ts"
import type { TemplateContent } from "../../message/template/StoredTemplate.ts"
import { minutesLeft } from "./expiringMessage.ts"
import { settingsOf } from "./trial.ts"
import type { Verification } from "./Verification.ts"

/** What a message said to a person, but for what would verify anybody. */
export interface Words {
  /** E-mail only. */
  readonly subject: string | null
  /** Null where only the provider has the words. */
  readonly text: string | null
}

const dot = "•"

/**
 * The words of a message with dots for its code or link, as settings are now. `content` are the merchant's own words, or
 * null for the built-in ones.
 */
export const wordsOf = (
  verification: Verification,
  delivery: VerificationDelivery,
  content: TemplateContent | null,
  given: Settings
): Words => {
  const settings = settingsOf(verification.trial, given)
  const { expiresAt, sentAt } = verification
  const values = {
    code: dot.repeat(verification.codeLength),
    link: `https://${dot.repeat(6)}`,
    brand: settings.brand,
    // A resend moves the end on, so that each message had as long as the last one.
    minutes: minutesLeft(verification, Math.min(sentAt, expiresAt)),
    appHash: settings.appHash ?? "",
    domain: settings.domain ?? ""
  }
  const { channel } = delivery
  const purpose = verification.kind === "Code" ? "CODE" : "LINK"
  const { rendered } = compose({ channel, purpose, content, values }, settings)
  const isProviders = content !== null && content.body === null
  return {
    subject: channel === "EMAIL" ? rendered.subject : null,
    text: isProviders ? null : rendered.text
  }
}
