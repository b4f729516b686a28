import type { Item } from "../../api/Api.ts"

type Last = NonNullable<Item<"GET /v1/dashboard/leads">["lastMessage"]>

const icons: Readonly<Record<string, string>> = {
  image: "📷",
  video: "🎬",
  audio: "🎤",
  document: "📄",
  sticker: "🖼️",
  location: "📍",
  contacts: "👤",
  order: "🛒",
  template: "📋"
}

/** The words of the reader's language that a preview needs. */
interface Words {
  readonly kinds: Readonly<Record<string, string>>
  readonly deleted: string
  readonly note: string
}

/** One line of the latest message: its text, or its kind in words. A file shows its icon before the caption. */
export const previewOf = ({ deleted, direction, text, type }: Last, say: Words): string => {
  if (deleted) return say.deleted
  const icon = icons[type]
  const words = text !== null && text !== "" ? text : (say.kinds[type] ?? say.kinds["unknown"] ?? "")
  const line = icon === undefined ? words : `${icon} ${words}`
  return direction === "NOTE" ? `${say.note}: ${line}` : line
}

/** The receipt of our latest message. Null for messages of the customer and notes. */
export const receiptOf = ({ direction, status }: Pick<Last, "direction" | "status">) => {
  if (direction !== "OUT" || status === null) return null
  const sign = { PENDING: "…", SENT: "✓", DELIVERED: "✓✓", READ: "✓✓", FAILED: "!", SKIPPED: "!" }[status]
  const tone = status === "READ" ? "read" : status === "FAILED" || status === "SKIPPED" ? "bad" : "plain"
  return { sign, tone, status } as const
}
