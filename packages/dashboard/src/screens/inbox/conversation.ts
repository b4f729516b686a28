import type { Answer, Item } from "../../api/Api.ts"
import type { Tone } from "../../parts/Pill.tsx"
import { replyWindow } from "./replyWindow.ts"

export type Message = Item<"GET /v1/dashboard/leads/:id/messages">
export type Lead = Answer<"GET /v1/dashboard/leads/:id">

/** A row of the conversation, oldest first: a message, or a separator between days. */
export type Row =
  | { readonly kind: "day"; readonly key: string; readonly at: string }
  | { readonly kind: "message"; readonly key: string; readonly message: Message }

const localDay = (at: string) => new Date(at).toDateString()

/** Rows of messages that arrive newest first. */
export const rowsOf = (
  messages: ReadonlyArray<Message>,
  dayOf: (at: string) => string = localDay
): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  let before: string | undefined
  for (const message of messages.toReversed()) {
    const day = dayOf(message.at)
    if (day !== before) rows.push({ kind: "day", key: `day ${day}`, at: message.at })
    before = day
    rows.push({ kind: "message", key: message.id, message })
  }
  return rows
}

/** A lead's `lastMessageAt` is India time without an offset. All other timestamps carry their zone. */
export const momentInIndia = (written: string | null): string | null => (written === null ? null : `${written}+05:30`)

/** Urgency of an unanswered customer: after one hour, and in the last two hours of the reply window. */
export const urgencyOf = (
  { lastInboundAt, waitingSince }: { readonly lastInboundAt: string | null; readonly waitingSince: string },
  now: number
): Tone => {
  const window = replyWindow(lastInboundAt, now)
  if (window.state !== "open" || window.soon) return "bad"
  return now - Date.parse(waitingSince) >= 3_600_000 ? "warn" : "plain"
}

/**
 * The request that sends a failed reply again. Null for other messages, and for a file: its text alone would be another
 * message, so the agent attaches the file again.
 */
export const sameAgain = ({ direction, media, template, text }: Message) => {
  if (direction !== "OUT" || media !== null) return null
  if (template !== null) return { template: `${template.name}/${template.language}`, values: template.values }
  return text === null ? null : { text }
}

interface Ordered {
  readonly quantity: number
  readonly name: string
  readonly price: string | null
}

/**
 * Texts of locations, orders and contact cards. The payload comes from a customer's phone, so nothing in it is
 * trusted.
 */
export type Details =
  | { readonly kind: "order"; readonly items: ReadonlyArray<Ordered>; readonly note: string | null }
  | { readonly kind: "contacts"; readonly people: ReadonlyArray<{ readonly name: string; readonly phones: string }> }
  | { readonly kind: "unreadable" }

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const listIn = (value: unknown): ReadonlyArray<{ readonly [name: string]: unknown }> =>
  Array.isArray(value) ? value.filter(isObject) : []
const textIn = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const detailsOf = ({ details, type }: Pick<Message, "details" | "type">): Details | null => {
  if (details === null) return null
  const said = parse(details)
  if (type === "order" && isObject(said))
    return {
      kind: "order",
      note: textIn(said["text"]),
      items: listIn(said["product_items"]).map((item) => ({
        quantity: Number(item["quantity"]) || 1,
        name: textIn(item["product_retailer_id"]) ?? "?",
        price:
          typeof item["item_price"] === "number" || typeof item["item_price"] === "string"
            ? `${item["item_price"]} ${textIn(item["currency"]) ?? ""}`.trim()
            : null
      }))
    }
  if (type === "contacts" && Array.isArray(said))
    return {
      kind: "contacts",
      people: listIn(said).map((person) => ({
        name: (isObject(person["name"]) ? textIn(person["name"]["formatted_name"]) : null) ?? "?",
        phones: listIn(person["phones"])
          .flatMap(({ phone }) => textIn(phone) ?? [])
          .join(", ")
      }))
    }
  return { kind: "unreadable" }
}
