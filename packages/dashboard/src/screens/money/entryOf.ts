import type { Item } from "../../api/Api.ts"

export type Entry = Item<"GET /v1/dashboard/ledger">

/** What a ledger entry was for. `id` is shown short, and whole on hover. */
export type EntryFor =
  | { readonly of: "verification" | "campaign" | "message"; readonly id: string }
  | { readonly of: "payment" | "reason"; readonly text: string }
  | { readonly of: "nothing"; readonly id: string | null }

/** References that a person did not write: of a request, or made by the service. */
const isMade = (reference: string) =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^(top|cor)_[0-9a-z]{20,}$/.test(reference)

export const entryFor = ({ kind, reference, requestId }: Pick<Entry, "kind" | "reference" | "requestId">): EntryFor => {
  if (requestId !== null) return { of: "verification", id: requestId }
  if (reference === null) return { of: "nothing", id: null }
  if (kind === "TOP_UP" || kind === "CORRECTION") {
    if (isMade(reference)) return { of: "nothing", id: reference }
    return { of: kind === "TOP_UP" ? "payment" : "reason", text: reference }
  }
  return { of: reference.startsWith("cmp_") ? "campaign" : "message", id: reference }
}

/** The last characters of an id: enough to tell the rows of a page apart. */
export const shortId = (id: string): string => (id.length <= 10 ? id : `…${id.slice(-6)}`)
