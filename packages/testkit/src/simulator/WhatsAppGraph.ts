import { type GraphAnswer, graphError } from "./WhatsAppError.ts"
import type { WhatsAppTemplate } from "./WhatsAppMessage.ts"

/** What Meta says of a number when asked. */
export interface WhatsAppNumber {
  readonly status: string
  readonly quality_rating: string
  readonly can_send_message: string
}

export const healthyNumber: WhatsAppNumber = {
  status: "CONNECTED",
  quality_rating: "GREEN",
  can_send_message: "AVAILABLE"
}

/** A WhatsApp business account as the Graph API shows it. Templates that are made here are added to it. */
export interface WhatsAppAccount {
  readonly wabaId: string
  readonly accessToken: string
  readonly numbers: Map<string, WhatsAppNumber>
  readonly templates: Array<WhatsAppTemplate>
}

export interface GraphRequest {
  readonly method: string
  /** Without the version. */
  readonly path: ReadonlyArray<string>
  readonly query: URLSearchParams
  readonly authorization: string | undefined
  readonly body: unknown
}

const pageSize = 25

/** Null when the token is right. */
export const tokenProblem = (
  { accessToken }: WhatsAppAccount,
  authorization: string | undefined
): GraphAnswer | null => (authorization === `Bearer ${accessToken}` ? null : graphError(190))

export const unknownObject = (method: string, id: string): GraphAnswer =>
  graphError(100, {
    subcode: 33,
    details: `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist or cannot be loaded`
  })

const numberNode = (
  id: string,
  { can_send_message, quality_rating, status }: WhatsAppNumber,
  fields: string | null
) => {
  const node: { readonly [field: string]: unknown } = {
    id,
    display_phone_number: "15550001111",
    verified_name: "Acme",
    status,
    quality_rating,
    health_status: { can_send_message, entities: [{ entity_type: "PHONE_NUMBER", id, can_send_message }] }
  }
  const wanted = (fields ?? "id,display_phone_number,verified_name,quality_rating").split(",")
  return Object.fromEntries(Object.entries(node).filter(([field]) => field === "id" || wanted.includes(field)))
}

const listTemplates = ({ templates }: WhatsAppAccount, query: URLSearchParams): GraphAnswer => {
  const name = query.get("name")
  const start = Number(query.get("after") ?? "0")
  const limit = Math.min(Number(query.get("limit") ?? pageSize), pageSize)
  // Meta's filter is loose: it finds names that merely contain the word.
  const found = templates.filter((template) => name === null || template.name.includes(name))
  const data = found.slice(start, start + limit).map(({ category, language, name, status }, n) => ({
    id: String(9_000 + start + n),
    name,
    language,
    status: status ?? "APPROVED",
    category: category ?? "AUTHENTICATION"
  }))
  const after = String(start + data.length)
  const more = start + data.length < found.length
  const next = more ? { next: `https://graph.facebook.com/next?after=${after}` } : {}
  return { status: 200, body: { data, paging: { cursors: { before: String(start), after }, ...next } } }
}

const createTemplate = ({ templates }: WhatsAppAccount, body: unknown): GraphAnswer => {
  const given: { readonly [field: string]: unknown } = typeof body === "object" && body !== null ? { ...body } : {}
  const { category, language, message_send_ttl_seconds: ttl = 600, name } = given
  if (typeof name !== "string" || !/^[a-z0-9_]{1,512}$/.test(name))
    return graphError(100, { details: "Param name is not valid" })
  if (typeof language !== "string") return graphError(100, { details: "Param language is required" })
  if (typeof ttl !== "number" || ttl < 30 || ttl > 900) {
    return graphError(100, { details: "Param message_send_ttl_seconds must be between 30 and 900" })
  }
  if (templates.some((each) => each.name === name && each.language === language)) {
    return graphError(100, { subcode: 2388024, details: "Content in this language already exists" })
  }
  templates.push({ name, language, category: String(category), status: "PENDING", message_send_ttl_seconds: ttl })
  return { status: 200, body: { id: String(9_000 + templates.length), status: "PENDING", category: String(category) } }
}

/** Answers everything but messages: numbers, and templates. */
export const manage = (account: WhatsAppAccount, { body, method, path, query }: GraphRequest): GraphAnswer => {
  const [id = "", edge, ...rest] = path
  const number = account.numbers.get(id)
  if (rest.length > 0) return unknownObject(method, id)
  if (number !== undefined && edge === undefined && method === "GET") {
    return { status: 200, body: numberNode(id, number, query.get("fields")) }
  }
  if (id !== account.wabaId) return unknownObject(method, id)
  if (edge === "message_templates" && method === "GET") return listTemplates(account, query)
  if (edge === "message_templates" && method === "POST") return createTemplate(account, body)
  if (edge === "subscribed_apps" && method === "POST") return { status: 200, body: { success: true } }
  if (edge === "phone_numbers" && method === "GET") {
    const data = Array.from(account.numbers, ([each, state]) => numberNode(each, state, query.get("fields")))
    return { status: 200, body: { data, paging: {} } }
  }
  return unknownObject(method, id)
}
