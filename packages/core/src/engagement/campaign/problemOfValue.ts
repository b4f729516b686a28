import type { CampaignChannel } from "./Campaign.ts"

const lost = /\uFFFD|\p{Cs}/u
const control = /[\p{Cc}--[\t\r\n]]/v
/**
 * Bidirectional controls reverse the rest of the line: a name with such a character would garble the words after it.
 */
const turning = /[\u202A-\u202E\u2066-\u2069]/u

/** Returns why a value cannot be sent over the channel; null when it can. */
export const problemOfValue = (value: string, channel: CampaignChannel): string | null => {
  if (value === "") return "is empty; fill it in, or remove the line"
  if (lost.test(value)) return "has a damaged character; save the file as CSV UTF-8"
  if (control.test(value)) return "has control characters"
  if (turning.test(value)) return "has characters that change the text direction; remove them"
  if (value.includes("\t")) return "has a tab"
  if (channel === "SMS") return null
  if (/[\r\n\u2028\u2029]/.test(value)) return "has a line break, which WhatsApp rejects"
  return / {5}/.test(value) ? "has more than four spaces in a row, which WhatsApp rejects" : null
}
