import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import { codeMail } from "./codeMail.ts"
import { languageOf } from "./languageOf.ts"
import type { Template } from "./Template.ts"

interface Words {
  readonly text: string
  readonly subject: string
  /** The e-mail's line above the code. `valid` and `warning` follow below it. */
  readonly lead: string
  readonly valid: string
  readonly warning: string
}

/** By language. The code comes first, so that notifications show it. With a short brand, the text fits one segment. */
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

/** Autofill reads only the last line of an SMS, so a text can support either the domain or the app. */
const autofill = (hints: { readonly appHash: string; readonly domain: string }) =>
  hints.domain !== "" ? "\n\n@{{domain}} #{{code}}" : hints.appHash !== "" ? "\n\n{{appHash}}" : ""

/** Returns the built-in template for codes. */
export const builtIn = (
  channel: ChannelName,
  locale: string,
  hints: { readonly appHash: string; readonly domain: string }
): Template => {
  const language = languageOf(words, locale)
  const { lead, subject, text, valid, warning } = words[language]!
  const named = { name: "otp", purpose: "CODE", channel, locale: language, version: 1 } as const
  return channel === "EMAIL"
    ? {
        ...named,
        subject,
        body: `${lead}: {{code}}\n\n${valid}\n\n${warning}`,
        html: codeMail({ language, lead, valid, warning })
      }
    : { ...named, subject: null, body: channel === "SMS" ? `${text}${autofill(hints)}` : text, html: null }
}
