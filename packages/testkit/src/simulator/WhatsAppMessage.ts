import { type GraphAnswer, graphError } from "./WhatsAppError.ts"

/** A template of the business account. Only approved ones send. */
export interface WhatsAppTemplate {
  readonly name: string
  readonly language: string
  /** `APPROVED` unless told. */
  readonly status?: string
  /** `AUTHENTICATION` unless told. */
  readonly category?: string
  /** As it was given when it was made. */
  readonly message_send_ttl_seconds?: number
}

/** What a message says, once it was found to be right. */
export interface Content {
  /** As it was sent. */
  readonly to: string
  /** Digits with a country code. */
  readonly waId: string
  readonly reference: string | null
  readonly template: string
  readonly language: string
  readonly code: string
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

/** The texts of a component's parameters; an error when they are not texts or hold what Meta does not allow. */
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

const isError = (value: unknown): value is GraphAnswer => isFields(value) && "status" in value && "body" in value

/** The code of an authentication template, which is in the body and again in the button. */
const codeOf = (components: ReadonlyArray<Fields>): string | GraphAnswer => {
  const body = components.find(({ type }) => type === "body")
  const button = components.find(({ type }) => type === "button")
  const texts = textsOf(body ?? {})
  if (isError(texts)) return texts
  if (texts.length !== 1) {
    return graphError(132000, {
      details: `body: number of localizable_params (${texts.length}) does not match the expected number of params (1)`
    })
  }
  if (button === undefined) return graphError(131008, { details: "Button at index 0 of type Url requires a parameter" })
  if (button["sub_type"] !== "url") {
    return graphError(132018, {
      details: `Button sub_type ${String(button["sub_type"])} does not match the template's`
    })
  }
  if (button["index"] !== "0") return graphError(132018, { details: "Button index must be the string 0" })
  const links = textsOf(button)
  if (isError(links)) return links
  if (links.length !== 1) return graphError(131008, { details: "Button at index 0 of type Url requires a parameter" })
  return texts[0]!.length > longestCode
    ? graphError(132005, { details: "Code is longer than 15 characters" })
    : texts[0]!
}

const templateProblem = (name: string, language: string, templates: ReadonlyArray<WhatsAppTemplate>) => {
  const template = templates.find((each) => each.name === name && each.language === language)
  const { status = "APPROVED" } = template ?? {}
  if (status === "PAUSED") return graphError(132015)
  if (status === "DISABLED") return graphError(132016)
  return template !== undefined && status === "APPROVED"
    ? null
    : graphError(132001, { details: `template name (${name}) does not exist in ${language}` })
}

/** Reads the body of `POST /{phone number id}/messages` as strictly as Meta does. */
export const readMessage = (
  body: unknown,
  account: { readonly templates: ReadonlyArray<WhatsAppTemplate>; readonly countryCode: string }
): Content | GraphAnswer => {
  const payload = fieldsOf(body)
  const { biz_opaque_callback_data: reference = null, messaging_product, recipient_type, to, type } = payload
  if (messaging_product !== "whatsapp")
    return graphError(100, { details: "The parameter messaging_product is required." })
  if (typeof to !== "string" || to === "") return graphError(100, { details: "The parameter to is required." })
  if (recipient_type !== undefined && recipient_type !== "individual") {
    return graphError(100, { details: "Param recipient_type must be one of {individual}" })
  }
  const digits = to.replace(/[^0-9]/g, "")
  if (digits.length < 5 || digits.length > 15) return graphError(131009, { details: "Recipient is not a phone number" })
  if (reference !== null && (typeof reference !== "string" || reference.length > longestReference)) {
    return graphError(100, { details: "Param biz_opaque_callback_data must be a string of up to 512 characters" })
  }
  // Nobody has written to a double within the last 24 hours, so free text is not allowed.
  if (type !== "template") return graphError(131047)
  const template = fieldsOf(payload["template"])
  const { name } = template
  const { code: language } = fieldsOf(template["language"])
  if (typeof name !== "string" || typeof language !== "string") {
    return graphError(131008, { details: "template: name and language are required" })
  }
  const problem = templateProblem(name, language, account.templates)
  if (problem !== null) return problem
  const code = codeOf(itemsOf(template["components"]).map(fieldsOf))
  if (isError(code)) return code
  // Without a plus Meta takes a number for one of the business's own country.
  const waId = to.startsWith("+") ? digits : `${account.countryCode}${digits}`
  return { to, waId, reference, template: name, language, code, payload }
}
