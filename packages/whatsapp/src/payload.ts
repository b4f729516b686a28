import {
  type CodeMessage,
  type LinkMessage,
  type MediaMessage,
  type Message,
  type MessageKind,
  Refused,
  type TemplateMessage
} from "@countersign/core/channel"
import { Redacted } from "effect"
import { isMediaId } from "./media.ts"
import type { TemplateName } from "./TemplateName.ts"

/** The templates of the service's own messages. */
export interface OwnTemplates {
  readonly template: TemplateName
  /** Null: links are not supported. */
  readonly linkTemplate: TemplateName | null
}

/** The supported kinds of messages. */
export const kindsOf = ({ linkTemplate }: OwnTemplates): ReadonlyArray<MessageKind> =>
  linkTemplate === null ? ["Code", "Media", "Template", "Text"] : ["Code", "Link", "Media", "Template", "Text"]

/** Meta's limits of a code: at most 15 characters, without spaces, tabs or line breaks. */
const isCode = (text: string) => /^[\x21-\x7e]{1,15}$/.test(text)
/** Meta appends the token to the button's URL unescaped, so it may contain only characters without meaning there. */
const isLinkToken = (text: string) => /^[A-Za-z0-9._~-]{1,512}$/.test(text)
const isPhone = (text: string) => /^\+[1-9]\d{5,14}$/.test(text)
/** Meta's id of a user for one business: `IN.1A2b3C`, or `US.ENT.1A2b3C` for a group of businesses. */
const isUserId = (text: string) => /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/.test(text)
const longestReference = 512
/** In characters, as Meta counts them, not in UTF-16 units. */
const longestText = 4_096
const longestCaption = 1_024

const refused = (providerCode: string, because: "recipient" | "channel" | "content") =>
  new Refused({ providerCode, because })

const isTooLong = (text: string, longest = longestText) =>
  text.length > 2 * longest || Array.from(text).length > longest

/** A brand as a template value: Meta refuses line breaks, tabs, several spaces in a row, and empty values. */
const brandOf = ({ brand }: Message) => brand.replace(/\s+/g, " ").trim()

/** A value of the merchant's own template, in the form that Meta accepts. */
const spaced = (value: Redacted.Redacted) => Redacted.make(Redacted.value(value).replace(/\s+/g, " ").trim())

/** Whether a value would be empty, which Meta refuses. */
const isEmpty = (message: LinkMessage): boolean =>
  message.template === undefined
    ? brandOf(message) === ""
    : message.template.values.some((value) => Redacted.value(value).trim() === "")

const mediaProblem = ({ media: { id, kind }, text }: MediaMessage): Refused | null => {
  const caption = Redacted.value(text)
  if (!isMediaId(id)) return refused("invalid_media", "content")
  if (kind === "audio" && caption !== "") return refused("audio_with_caption", "content")
  return isTooLong(caption, longestCaption) ? refused("text_too_long", "content") : null
}

const contentProblem = (message: Message, { linkTemplate }: OwnTemplates): Refused | null => {
  switch (message._tag) {
    case "Code":
      return isCode(Redacted.value(message.code)) ? null : refused("invalid_code", "content")
    case "Link":
      if (linkTemplate === null && message.template === undefined) return refused("unsupported_message", "channel")
      if (isEmpty(message)) return refused("empty_brand", "content")
      return isLinkToken(Redacted.value(message.token)) ? null : refused("invalid_link", "content")
    case "Media":
      return mediaProblem(message)
    case "Template":
      // Refuse locally what Meta would refuse.
      return message.values.some((value) => /[\r\n\t]| {4}/.test(Redacted.value(value)))
        ? refused("132018", "content")
        : null
    case "Notice":
      return refused("unsupported_message", "channel")
    case "Text": {
      const text = Redacted.value(message.text)
      if (text.trim() === "") return refused("empty_text", "content")
      return isTooLong(text) ? refused("text_too_long", "content") : null
    }
  }
}

/** Why the message cannot be sent; null when it can. */
export const problemOf = (message: Message, templates: OwnTemplates): Refused | null => {
  const { _tag, reference, to } = message
  // Meta sends code templates only to phone numbers (131062).
  if (!isPhone(to) && (_tag === "Code" || !isUserId(to))) return refused("invalid_recipient", "recipient")
  if (reference.length > longestReference) return refused("invalid_reference", "content")
  return contentProblem(message, templates)
}

const parametersOf = (values: ReadonlyArray<Redacted.Redacted>) =>
  values.map((value) => ({ type: "text", text: Redacted.value(value) }))

/** An AUTHENTICATION template needs the code in its text and again in its button. */
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

/** The template contains the base of the button's URL. */
const linkTemplateOf = (
  message: LinkMessage,
  { language, name }: TemplateName,
  values: ReadonlyArray<Redacted.Redacted>
) => ({
  name,
  language: { code: language, policy: "deterministic" },
  components: [
    ...(values.length === 0 ? [] : [{ type: "body", parameters: parametersOf(values) }]),
    { type: "button", sub_type: "url", index: "0", parameters: parametersOf([message.token]) }
  ]
})

/** Any other template, with its values in order. */
const template = (values: ReadonlyArray<Redacted.Redacted>, { language, name }: TemplateName) => ({
  name,
  language: { code: language, policy: "deterministic" },
  components: values.length === 0 ? [] : [{ type: "body", parameters: parametersOf(values) }]
})

/** The template of a message with its values: the merchant's own, or else the channel's. */
export const templateIn = (
  message: CodeMessage | LinkMessage | TemplateMessage,
  own: OwnTemplates
): { readonly [name: string]: unknown } => {
  switch (message._tag) {
    case "Code":
      return codeTemplate(message.code, message.template ?? own.template)
    case "Link": {
      const theirs = message.template
      if (theirs !== undefined) return linkTemplateOf(message, theirs, theirs.values.map(spaced))
      return own.linkTemplate === null
        ? {}
        : linkTemplateOf(message, own.linkTemplate, [Redacted.make(brandOf(message))])
    }
    case "Template":
      return template(message.values, message)
  }
}

/** An uploaded file. Only a document has a name, and a recording has no caption. */
const mediaOf = ({ media: { fileName, id, kind }, text }: MediaMessage) => {
  const caption = Redacted.value(text)
  return {
    [kind]: {
      id,
      ...(caption === "" ? {} : { caption }),
      ...(kind !== "document" || fileName === null ? {} : { filename: fileName })
    }
  }
}

const typeOf = (message: Message): string => {
  if (message._tag === "Media") return message.media.kind
  return message._tag === "Text" ? "text" : "template"
}

const contentOf = (message: Message, own: OwnTemplates) => {
  switch (message._tag) {
    case "Code":
    case "Link":
    case "Template":
      return { template: templateIn(message, own) }
    case "Media":
      return mediaOf(message)
    case "Text":
      // A preview would make Meta's servers open every link, including links that work only once.
      return {
        ...(message.answers === null ? {} : { context: { message_id: message.answers } }),
        text: { preview_url: false, body: Redacted.value(message.text) }
      }
    case "Notice":
      return {}
  }
}

/** The body of the request that sends a message. */
export const payloadOf = (message: Message, templates: OwnTemplates) => ({
  messaging_product: "whatsapp",
  recipient_type: "individual",
  ...(isPhone(message.to) ? { to: message.to } : { recipient: message.to }),
  type: typeOf(message),
  biz_opaque_callback_data: message.reference,
  ...contentOf(message, templates)
})
