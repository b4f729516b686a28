import { type GraphAnswer, graphError } from "./WhatsAppError.ts"

/** A template of the business account. Only approved templates can be sent. */
export interface WhatsAppTemplate {
  readonly name: string
  readonly language: string
  /** Default `APPROVED`. */
  readonly status?: string
  /** Default `AUTHENTICATION`: a template for codes. */
  readonly category?: string
  /**
   * The text of a template that is not for codes, with `{{1}}` and so on for its values. Without a body, any values are
   * accepted.
   */
  readonly body?: string
  /**
   * The address of its button, such as `https://verify.example.com/l/{{1}}`. Each message supplies the end of the
   * address.
   */
  readonly button?: string
  /** As given at its creation. */
  readonly message_send_ttl_seconds?: number
}

/** The content of a valid message. */
export interface Content {
  /** As requested: a number, or the id of a customer with a hidden number. */
  readonly to: string
  /** Digits with a country code; empty for a customer who is known by an id alone. */
  readonly waId: string
  readonly userId: string | null
  readonly reference: string | null
  /** Null for plain text and files, as is the language. */
  readonly template: string | null
  readonly language: string | null
  /** Null except for a template for codes. */
  readonly code: string | null
  /** The values of the template's variables. */
  readonly values: ReadonlyArray<string>
  /** The text that the recipient reads; for a file its caption, or an empty text. */
  readonly text: string
  /** The address that the button opens; null without a button. */
  readonly url: string | null
  /** The quoted message. */
  readonly answers: string | null
  /** The body of the request. */
  readonly payload: { readonly [name: string]: unknown }
}

type Fields = { readonly [name: string]: unknown }

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
const itemsOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const longestReference = 512
const longestCode = 15

/** The texts of a component's parameters; an error when one is not a text, or contains characters that Meta forbids. */
const textsOf = (component: Fields): ReadonlyArray<string> | GraphAnswer => {
  const texts: Array<string> = []
  for (const parameter of itemsOf(component["parameters"]).map(fieldsOf)) {
    const { text, type } = parameter
    if (type !== "text" || typeof text !== "string")
      return graphError(132012, { details: "Parameter is not of type text" })
    if (text === "") return graphError(131008, { details: "Parameter of type text is missing text value" })
    if (/[\n\t]| {4}/.test(text)) {
      return graphError(132018, {
        details: "Param text cannot have new-line/tab characters or more than 4 consecutive spaces"
      })
    }
    texts.push(text)
  }
  return texts
}

const isError = (value: unknown): value is GraphAnswer => isFields(value) && typeof value["status"] === "number"

/** The single value of a URL button: the end of its address. */
const suffixOf = (components: ReadonlyArray<Fields>): string | GraphAnswer => {
  const button = components.find(({ type }) => type === "button")
  if (button === undefined) return graphError(131008, { details: "Button at index 0 of type Url requires a parameter" })
  if (button["sub_type"] !== "url") {
    return graphError(132018, {
      details: `Button sub_type ${String(button["sub_type"])} does not match the template's`
    })
  }
  if (button["index"] !== "0") return graphError(132018, { details: "Button index must be the string 0" })
  const suffixes = textsOf(button)
  if (isError(suffixes)) return suffixes
  return suffixes.length === 1
    ? suffixes[0]!
    : graphError(131008, { details: "Button at index 0 of type Url requires a parameter" })
}

/** The code of an authentication template, which the body and the button repeat. */
const codeOf = (components: ReadonlyArray<Fields>): string | GraphAnswer => {
  const body = components.find(({ type }) => type === "body")
  const texts = textsOf(body ?? {})
  if (isError(texts)) return texts
  if (texts.length !== 1) {
    return graphError(132000, {
      details: `body: number of localizable_params (${texts.length}) does not match the expected number of params (1)`
    })
  }
  const suffix = suffixOf(components)
  if (isError(suffix)) return suffix
  return texts[0]!.length > longestCode
    ? graphError(132005, { details: "Code is longer than 15 characters" })
    : texts[0]!
}

/** The template that a message names; an error when it cannot be used. */
const templateFor = (
  name: string,
  language: string,
  templates: ReadonlyArray<WhatsAppTemplate>
): WhatsAppTemplate | GraphAnswer => {
  const template = templates.find((each) => each.name === name && each.language === language)
  if (template?.status === "PAUSED") return graphError(132015)
  if (template?.status === "DISABLED") return graphError(132016)
  return template !== undefined && (template.status ?? "APPROVED") === "APPROVED"
    ? template
    : graphError(132001, { details: `template name (${name}) does not exist in ${language}` })
}

type Said = Pick<Content, "template" | "language" | "code" | "values" | "text" | "url">

/** The address that the template's button opens for this message; null without a button. */
const opens = ({ button }: WhatsAppTemplate, components: ReadonlyArray<Fields>): string | null | GraphAnswer => {
  if (button === undefined) {
    return components.some(({ type }) => type === "button")
      ? graphError(132018, { details: "Button component is not part of the template" })
      : null
  }
  const suffix = suffixOf(components)
  return isError(suffix) ? suffix : button.replace("{{1}}", () => suffix)
}

/** The text of a template that is not for codes, with its values filled in. */
const filled = (template: WhatsAppTemplate, components: ReadonlyArray<Fields>): Said | GraphAnswer => {
  const { body, language, name } = template
  const values = textsOf(components.find(({ type }) => type === "body") ?? {})
  if (isError(values)) return values
  const places = new Set(body?.match(/\{\{\d+\}\}/g) ?? []).size
  if (body !== undefined && values.length !== places) {
    return graphError(132000, {
      details: `body: number of localizable_params (${values.length}) does not match the expected number of params (${places})`
    })
  }
  const text =
    body === undefined
      ? [name, ...values].join(" ")
      : body.replace(/\{\{(\d+)\}\}/g, (_, place: string) => values[Number(place) - 1] ?? "")
  const url = opens(template, components)
  return isError(url) ? url : { template: name, language, code: null, values, text, url }
}

const templateSaid = (
  given: unknown,
  toPhone: boolean,
  templates: ReadonlyArray<WhatsAppTemplate>
): Said | GraphAnswer => {
  const { components, language: inLanguage, name } = fieldsOf(given)
  const { code: language } = fieldsOf(inLanguage)
  if (typeof name !== "string" || typeof language !== "string") {
    return graphError(131008, { details: "template: name and language are required" })
  }
  const template = templateFor(name, language, templates)
  if (isError(template)) return template
  const parts = itemsOf(components).map(fieldsOf)
  if ((template.category ?? "AUTHENTICATION") !== "AUTHENTICATION") return filled(template, parts)
  if (!toPhone) return graphError(131062)
  const code = codeOf(parts)
  return isError(code)
    ? code
    : { template: name, language, code, values: [code], text: `${code} is your verification code.`, url: null }
}

const longestText = 4_096

const textSaid = (given: unknown): Said | GraphAnswer => {
  const { body } = fieldsOf(given)
  if (typeof body !== "string" || body === "") return graphError(131008, { details: "text.body is required" })
  return Array.from(body).length > longestText
    ? graphError(100, { details: `Param text['body'] must be at most ${longestText} characters long.` })
    : { template: null, language: null, code: null, values: [], text: body, url: null }
}

const kindsOfFile = ["image", "audio", "video", "document"]
const longestCaption = 1_024

/** A file by its id, with its caption as the text. */
const fileSaid = (type: string, given: unknown): Said | GraphAnswer => {
  const { caption = "", filename, id } = fieldsOf(given)
  if (typeof id !== "string" || !/^\d{1,32}$/.test(id)) return graphError(100, { details: `${type}.id is required` })
  if (typeof caption !== "string" || Array.from(caption).length > longestCaption) {
    return graphError(100, { details: `Param ${type}['caption'] must be at most ${longestCaption} characters long.` })
  }
  if (type === "audio" && caption !== "") return graphError(100, { details: 'Unexpected key "caption" on param audio' })
  if (filename !== undefined && (type !== "document" || typeof filename !== "string")) {
    return graphError(100, { details: `Unexpected key "filename" on param ${type}` })
  }
  return { template: null, language: null, code: null, values: [], text: caption, url: null }
}

type Recipient = Pick<Content, "to" | "waId" | "userId">

const recipientOf = ({ recipient, recipient_type, to }: Fields, countryCode: string): Recipient | GraphAnswer => {
  if (recipient_type !== undefined && recipient_type !== "individual") {
    return graphError(100, { details: "Param recipient_type must be one of {individual}" })
  }
  if (to === undefined && typeof recipient === "string") {
    return /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/.test(recipient)
      ? { to: recipient, waId: "", userId: recipient }
      : graphError(131009, { details: "Recipient is not a user id" })
  }
  if (typeof to !== "string" || to === "") return graphError(100, { details: "The parameter to is required." })
  const digits = to.replace(/[^0-9]/g, "")
  if (digits.length < 5 || digits.length > 15) return graphError(131009, { details: "Recipient is not a phone number" })
  // Without a plus, Meta reads a number as one of the business's own country.
  return { to, waId: to.startsWith("+") ? digits : `${countryCode}${digits}`, userId: null }
}

export interface Reader {
  readonly templates: ReadonlyArray<WhatsAppTemplate>
  readonly countryCode: string
  /** Whether that person wrote within the last 24 hours, so that plain text may be sent. */
  readonly isOpen: (recipient: Recipient) => boolean
}

const contentSaid = (
  payload: Fields,
  { userId }: Recipient,
  templates: ReadonlyArray<WhatsAppTemplate>
): Said | GraphAnswer => {
  const { type } = payload
  if (type === "text") return textSaid(payload["text"])
  if (type === "template") return templateSaid(payload["template"], userId === null, templates)
  return typeof type === "string" && kindsOfFile.includes(type) ? fileSaid(type, payload[type]) : graphError(131051)
}

/** Validates the body of `POST /{phone number id}/messages` as strictly as Meta does. */
export const readMessage = (body: unknown, { countryCode, isOpen, templates }: Reader): Content | GraphAnswer => {
  const payload = fieldsOf(body)
  const { biz_opaque_callback_data: reference = null, context, messaging_product, type } = payload
  if (messaging_product !== "whatsapp")
    return graphError(100, { details: "The parameter messaging_product is required." })
  const recipient = recipientOf(payload, countryCode)
  if (isError(recipient)) return recipient
  if (reference !== null && (typeof reference !== "string" || reference.length > longestReference)) {
    return graphError(100, { details: "Param biz_opaque_callback_data must be a string of up to 512 characters" })
  }
  const { message_id: answers = null } = fieldsOf(context)
  if (answers !== null && (typeof answers !== "string" || answers === "")) {
    return graphError(131009, { details: "context.message_id is not a message" })
  }
  // Everything else is free-form, which only recipients who wrote recently may get.
  if (type !== "template" && !isOpen(recipient)) return graphError(131047)
  const said = contentSaid(payload, recipient, templates)
  return isError(said) ? said : { ...recipient, ...said, reference, answers, payload }
}
