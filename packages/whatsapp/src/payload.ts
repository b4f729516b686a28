import { type Message, Refused } from "@countersign/core/channel"
import { Redacted } from "effect"
import type { TemplateName } from "./TemplateName.ts"

/** The kinds of message that WhatsApp carries for us. */
export type Carried = Exclude<Message, { readonly _tag: "Link" }>

export const kinds = ["Code", "Template", "Text"] as const satisfies ReadonlyArray<Carried["_tag"]>

/** Meta's limit, and no space, tab or line break: it would refuse them. */
const isCode = (text: string) => /^[\x21-\x7e]{1,15}$/.test(text)
const isPhone = (text: string) => /^\+[1-9]\d{5,14}$/.test(text)
/** Meta's id of somebody for one business: `IN.1A2b3C`, or `US.ENT.1A2b3C` for a group of businesses. */
const isUserId = (text: string) => /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/.test(text)
const longestReference = 512
/** In characters as Meta counts them, not in UTF-16 units. */
const longestText = 4_096

const refused = (providerCode: string, because: "recipient" | "content") => new Refused({ providerCode, because })

const isTooLong = (text: string) => text.length > 2 * longestText || Array.from(text).length > longestText

const contentProblem = (message: Carried): Refused | null => {
  switch (message._tag) {
    case "Code":
      return isCode(Redacted.value(message.code)) ? null : refused("invalid_code", "content")
    case "Template":
      // What Meta would say, said before it is asked.
      return message.values.some((value) => /[\r\n\t]| {4}/.test(Redacted.value(value)))
        ? refused("132018", "content")
        : null
    case "Text": {
      const text = Redacted.value(message.text)
      if (text.trim() === "") return refused("empty_text", "content")
      return isTooLong(text) ? refused("text_too_long", "content") : null
    }
  }
}

/** Why no request can be made of this message; null when one can. */
export const problemOf = (message: Carried): Refused | null => {
  const { _tag, reference, to } = message
  // A template for codes goes to numbers alone (131062).
  if (!isPhone(to) && (_tag === "Code" || !isUserId(to))) return refused("invalid_recipient", "recipient")
  if (reference.length > longestReference) return refused("invalid_reference", "content")
  return contentProblem(message)
}

const parametersOf = (values: ReadonlyArray<Redacted.Redacted>) =>
  values.map((value) => ({ type: "text", text: Redacted.value(value) }))

/** The code of an AUTHENTICATION template stands in its text and again in its button. */
const codeTemplate = (code: Redacted.Redacted, { language, name }: TemplateName) => {
  const parameters = parametersOf([code])
  return {
    name,
    language: { code: language, policy: "deterministic" },
    components: [
      { type: "body", parameters },
      { type: "button", sub_type: "url", index: "0", parameters }
    ]
  }
}

/** Any other template: its values fill the places of its text, in order. */
const template = (values: ReadonlyArray<Redacted.Redacted>, { language, name }: TemplateName) => ({
  name,
  language: { code: language, policy: "deterministic" },
  components: values.length === 0 ? [] : [{ type: "body", parameters: parametersOf(values) }]
})

const contentOf = (message: Carried, codes: TemplateName) => {
  switch (message._tag) {
    case "Code":
      return { template: codeTemplate(message.code, codes) }
    case "Template":
      return { template: template(message.values, message) }
    case "Text":
      // With a preview Meta's servers would open every link, also those that work once.
      return {
        ...(message.answers === null ? {} : { context: { message_id: message.answers } }),
        text: { preview_url: false, body: Redacted.value(message.text) }
      }
  }
}

/** The body of the request that sends a message. Codes travel in the template of that name. */
export const payloadOf = (message: Carried, codes: TemplateName) => ({
  messaging_product: "whatsapp",
  recipient_type: "individual",
  ...(isPhone(message.to) ? { to: message.to } : { recipient: message.to }),
  type: message._tag === "Text" ? "text" : "template",
  biz_opaque_callback_data: message.reference,
  ...contentOf(message, codes)
})
