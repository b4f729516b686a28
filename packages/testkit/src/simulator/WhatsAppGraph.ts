import { createHash } from "node:crypto"
import type { CustomerFile } from "./WhatsAppCustomer.ts"
import { type GraphAnswer, graphError } from "./WhatsAppError.ts"
import type { WhatsAppTemplate } from "./WhatsAppMessage.ts"

/** A number's fields as Meta returns them. */
export interface WhatsAppNumber {
  readonly status: string
  readonly quality_rating: string
  readonly can_send_message: string
  readonly display_phone_number: string
  readonly verified_name: string
}

export const healthyNumber: WhatsAppNumber = {
  status: "CONNECTED",
  quality_rating: "GREEN",
  can_send_message: "AVAILABLE",
  display_phone_number: "15550001111",
  verified_name: "Acme"
}

/** A WhatsApp business account as the Graph API shows it. Templates created through the API are added to it. */
export interface WhatsAppAccount {
  readonly wabaId: string
  readonly accessToken: string
  readonly numbers: Map<string, WhatsAppNumber>
  readonly templates: Array<WhatsAppTemplate>
  /** Whether the app is subscribed. Until then, no webhook about the account is sent. */
  isSubscribed: boolean
  /** Whether its token was revoked. */
  isRevoked: boolean
}

export interface GraphRequest {
  /** Whether the request is for the simulator itself, below `/simulator`, and not for the Graph API. */
  readonly isOwn: boolean
  readonly method: string
  /** Without the API version. */
  readonly path: ReadonlyArray<string>
  readonly query: URLSearchParams
  readonly authorization: string | undefined
  readonly body: unknown
  /** The fields of a multipart body; null for any other body. */
  readonly form: () => Promise<FormData | null>
}

const pageSize = 25

/** The accounts that a token may access; an error when there is none. */
export const opened = (
  accounts: ReadonlyArray<WhatsAppAccount>,
  authorization: string | undefined
): ReadonlyArray<WhatsAppAccount> | GraphAnswer => {
  const found = accounts.filter(({ accessToken, isRevoked }) => !isRevoked && authorization === `Bearer ${accessToken}`)
  return found.length > 0 ? found : graphError(190)
}

/** A file node with the address of its bytes, for tokens that may access the number that received the file. */
export const fileNode = (file: CustomerFile | undefined, { method, path, query }: GraphRequest, url: string) => {
  const [id = ""] = path
  const asked = query.get("phone_number_id")
  if (file === undefined || (asked !== null && asked !== file.phoneNumberId)) return unknownObject(method, id)
  const { bytes, mimeType } = file
  return {
    status: 200,
    body: {
      messaging_product: "whatsapp",
      url: `${url}/v25.0/whatsapp_business/attachments?mid=${id}`,
      mime_type: mimeType,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      file_size: String(bytes.length),
      id
    }
  }
}

export const unknownObject = (method: string, id: string): GraphAnswer =>
  graphError(100, {
    subcode: 33,
    details: `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist or cannot be loaded`
  })

const blocked = {
  error_code: 141006,
  error_description: "There is an error with the payment method",
  possible_solution: "Add a payment method"
}

const numberNode = (
  id: string,
  { can_send_message, display_phone_number, quality_rating, status, verified_name }: WhatsAppNumber,
  fields: string | null
) => {
  const errors = can_send_message === "BLOCKED" ? { errors: [blocked] } : {}
  const node: { readonly [field: string]: unknown } = {
    id,
    display_phone_number,
    verified_name,
    status,
    quality_rating,
    health_status: { can_send_message, entities: [{ entity_type: "PHONE_NUMBER", id, can_send_message, ...errors }] }
  }
  const wanted = (fields ?? "id,display_phone_number,verified_name,quality_rating").split(",")
  return Object.fromEntries(Object.entries(node).filter(([field]) => field === "id" || wanted.includes(field)))
}

/** One page of a list, with a cursor to the next. */
const pageOf = <A>(found: ReadonlyArray<A>, query: URLSearchParams, node: (each: A, n: number) => unknown) => {
  const start = Number(query.get("after") ?? "0")
  const limit = Math.min(Number(query.get("limit") ?? pageSize), pageSize)
  const data = found.slice(start, start + limit).map((each, n) => node(each, start + n))
  const after = String(start + data.length)
  const next = start + data.length < found.length ? { next: `https://graph.facebook.com/next?after=${after}` } : {}
  return { status: 200, body: { data, paging: { cursors: { before: String(start), after }, ...next } } }
}

const componentsOf = (body: string | undefined, button: string | undefined) => [
  ...(body === undefined ? [] : [{ type: "BODY", text: body }]),
  ...(button === undefined ? [] : [{ type: "BUTTONS", buttons: [{ type: "URL", text: "Open", url: button }] }])
]

const listTemplates = ({ templates }: WhatsAppAccount, query: URLSearchParams): GraphAnswer => {
  const name = query.get("name")
  // Meta's filter is loose: it also finds names that contain the text.
  const found = templates.filter((template) => name === null || template.name.includes(name))
  return pageOf(found, query, ({ body, button, category, language, name: its, status }, n) => ({
    id: String(9_000 + n),
    name: its,
    language,
    status: status ?? "APPROVED",
    category: category ?? "AUTHENTICATION",
    ...(body === undefined && button === undefined ? {} : { components: componentsOf(body, button) })
  }))
}

type Fields = { readonly [field: string]: unknown }

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}
const itemsOf = (value: unknown): ReadonlyArray<Fields> => (Array.isArray(value) ? value.map(fieldsOf) : [])

/** The text and the button of a template that is not for codes; an error if Meta would reject them. */
const partsOf = (components: unknown): Pick<WhatsAppTemplate, "body" | "button"> | GraphAnswer => {
  const body = itemsOf(components).find(({ type }) => type === "BODY")
  const buttons = itemsOf(components).find(({ type }) => type === "BUTTONS")
  const button = itemsOf(buttons?.["buttons"]).find(({ type }) => type === "URL")
  const text = body?.["text"]
  if (typeof text !== "string" || text === "") return graphError(100, { details: "BODY component needs text" })
  if (/^\s*\{\{|\}\}\s*$/.test(text)) {
    return graphError(100, { subcode: 2388299, details: "Variables can't be at the start or end of the template." })
  }
  if (text.includes("{{") && fieldsOf(body?.["example"])["body_text"] === undefined) {
    return graphError(100, { subcode: 2388043, details: "BODY component with variables needs an example" })
  }
  if (button === undefined) return { body: text }
  const { example, url } = button
  if (typeof url !== "string" || !/^https?:\/\//.test(url)) return graphError(100, { details: "URL button needs url" })
  const place = url.indexOf("{{")
  if (place >= 0 && url.slice(place) !== "{{1}}") {
    return graphError(100, { details: "A variable of a URL button must be {{1}}, at its end" })
  }
  if (place >= 0 && (!Array.isArray(example) || example.length !== 1)) {
    return graphError(100, { details: "URL button with a variable needs an example" })
  }
  return { body: text, button: url }
}

/** How long Meta lets a message wait, in seconds. */
const longestWait: { readonly [category: string]: number } = { AUTHENTICATION: 900, UTILITY: 43_200 }

const createTemplate = ({ templates }: WhatsAppAccount, body: unknown): GraphAnswer => {
  const given = fieldsOf(body)
  const { category, language, message_send_ttl_seconds: ttl = 600, name } = given
  if (typeof name !== "string" || !/^[a-z0-9_]{1,512}$/.test(name))
    return graphError(100, { details: "Param name is not valid" })
  if (typeof language !== "string") return graphError(100, { details: "Param language is required" })
  const longest = longestWait[String(category)] ?? 43_200
  if (typeof ttl !== "number" || ttl < 30 || ttl > longest) {
    return graphError(100, { details: `Param message_send_ttl_seconds must be between 30 and ${longest}` })
  }
  if (templates.some((each) => each.name === name && each.language === language)) {
    return graphError(100, { subcode: 2388024, details: "Content in this language already exists" })
  }
  const parts = category === "AUTHENTICATION" ? {} : partsOf(given["components"])
  if ("status" in parts) return parts
  const made = { name, language, category: String(category), status: "PENDING", message_send_ttl_seconds: ttl }
  templates.push({ ...made, ...parts })
  return { status: 200, body: { id: String(9_000 + templates.length), status: "PENDING", category: String(category) } }
}

/** Answers every request except for messages and files: numbers, templates, subscriptions. */
export const manage = (
  accounts: ReadonlyArray<WhatsAppAccount>,
  { body, method, path, query }: GraphRequest
): GraphAnswer => {
  const [id = "", edge, ...rest] = path
  const number = accounts.find(({ numbers }) => numbers.has(id))?.numbers.get(id)
  if (rest.length > 0) return unknownObject(method, id)
  if (number !== undefined && edge === undefined && method === "GET") {
    return { status: 200, body: numberNode(id, number, query.get("fields")) }
  }
  const account = accounts.find(({ wabaId }) => wabaId === id)
  if (account === undefined) return unknownObject(method, id)
  if (edge === "message_templates" && method === "GET") return listTemplates(account, query)
  if (edge === "message_templates" && method === "POST") return createTemplate(account, body)
  if (edge === "subscribed_apps" && method === "POST") {
    account.isSubscribed = true
    return { status: 200, body: { success: true } }
  }
  if (edge === "phone_numbers" && method === "GET") {
    return pageOf([...account.numbers], query, ([each, state]) => numberNode(each, state, query.get("fields")))
  }
  return unknownObject(method, id)
}
