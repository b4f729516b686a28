import * as Problem from "../../foundation/identity/Problem.ts"
import type { CampaignChannel } from "./Campaign.ts"

const lost = /\uFFFD|\p{Cs}/u
const control = /[\p{Cc}--[\t\r\n]]/v
/**
 * Bidirectional controls reverse the rest of the line: a name with such a character would garble the words after it.
 */
const turning = /[\u202A-\u202E\u2066-\u2069]/u

/** Returns why a value cannot be sent over the channel; null when it can. */
export const problemOfValue = (value: string, channel: CampaignChannel): Problem.Problem | null => {
  if (value === "") return Problem.of("VALUE_EMPTY")
  if (lost.test(value)) return Problem.of("VALUE_DAMAGED")
  if (control.test(value)) return Problem.of("VALUE_CONTROL")
  if (turning.test(value)) return Problem.of("VALUE_DIRECTION")
  if (value.includes("\t")) return Problem.of("VALUE_TAB")
  if (channel === "SMS") return null
  if (/[\r\n\u2028\u2029]/.test(value)) return Problem.of("VALUE_LINE_BREAK")
  return / {5}/.test(value) ? Problem.of("VALUE_SPACES") : null
}
