import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import { type MailLook, plainLook } from "./MailLook.ts"
import { codeMail } from "./codeMail.ts"
import { languageOf } from "./languageOf.ts"
import type { Template } from "./Template.ts"

interface Words {
  readonly text: string
  readonly subject: string
  /** The line above the code in an e-mail. `valid` and `warning` are the lines below the code. */
  readonly lead: string
  readonly valid: string
  readonly warning: string
}

/**
 * The texts in each language. A text starts with the code, so that a notification shows it. With a short brand, a text
 * fits in one SMS segment.
 */
const words: { readonly [language: string]: Words } = {
  en: {
    text: "{{code}} is your {{brand}} code, valid for {{minutes}} min. Do not share it with anyone.",
    subject: "{{code}} is your {{brand}} code",
    lead: "Your {{brand}} code",
    valid: "It is valid for {{minutes}} min.",
    warning: "If you did not request this code, ignore this e-mail. {{brand}} will never ask you for it."
  },
  hi: {
    text: "{{code}} आपका {{brand}} कोड है, {{minutes}} मिनट तक मान्य। इसे किसी को न बताएं।",
    subject: "{{code}} आपका {{brand}} कोड है",
    lead: "आपका {{brand}} कोड",
    valid: "यह {{minutes}} मिनट तक मान्य है।",
    warning: "अगर आपने यह कोड नहीं मांगा, तो इस ईमेल को अनदेखा करें। {{brand}} आपसे यह कोड कभी नहीं मांगेगा।"
  }
}

/**
 * Returns the last line of an SMS, which lets a browser (`domain`) or an app (`appHash`) fill in the code. Autofill
 * reads only the last line, so a text supports one of the two, and the domain takes precedence.
 */
const autofill = (hints: { readonly appHash: string; readonly domain: string }) =>
  hints.domain !== "" ? "\n\n@{{domain}} #{{code}}" : hints.appHash !== "" ? "\n\n{{appHash}}" : ""

/** Returns the built-in template for codes. */
export const builtIn = (
  channel: ChannelName,
  locale: string,
  hints: { readonly appHash: string; readonly domain: string },
  look: MailLook = plainLook
): Template => {
  const language = languageOf(words, locale)
  const { lead, subject, text, valid, warning } = words[language]!
  const named = { name: "otp", purpose: "CODE", channel, locale: language, version: 1 } as const
  return channel === "EMAIL"
    ? {
        ...named,
        subject,
        body: `${lead}: {{code}}\n\n${valid}\n\n${warning}`,
        html: codeMail({ language, lead, valid, warning }, look)
      }
    : { ...named, subject: null, body: channel === "SMS" ? `${text}${autofill(hints)}` : text, html: null }
}
