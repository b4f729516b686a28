import { type CodeMessage, Refused } from "@countersign/core/channel"
import { Redacted } from "effect"
import type { TemplateName } from "./TemplateName.ts"

/** Meta's limit, and no space, tab or line break: it would refuse them. */
const isCode = (text: string) => /^[\x21-\x7e]{1,15}$/.test(text)
const isPhone = (text: string) => /^\+[1-9]\d{5,14}$/.test(text)
const longestReference = 512

/** Why no request can be made of this message; null when one can. */
export const problemOf = ({ code, reference, to }: CodeMessage): Refused | null => {
  if (!isPhone(to)) return new Refused({ providerCode: "invalid_recipient", because: "recipient" })
  if (reference.length > longestReference) return new Refused({ providerCode: "invalid_reference", because: "content" })
  return isCode(Redacted.value(code)) ? null : new Refused({ providerCode: "invalid_code", because: "content" })
}

/** The request of an AUTHENTICATION template: the code stands in its text and again in its button. */
export const codeMessage = ({ code, reference, to }: CodeMessage, { language, name }: TemplateName) => {
  const parameters = [{ type: "text", text: Redacted.value(code) }]
  return {
    messaging_product: "whatsapp",
    recipient_type: "individual",
    to,
    type: "template",
    biz_opaque_callback_data: reference,
    template: {
      name,
      language: { code: language, policy: "deterministic" },
      components: [
        { type: "body", parameters },
        { type: "button", sub_type: "url", index: "0", parameters }
      ]
    }
  }
}
