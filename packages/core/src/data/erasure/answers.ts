import type { ErasedPerson } from "./Erasure.ts"
import type { ErasureStore } from "./ErasureStore.ts"

/** Numbers and addresses without separators. */
const bare = (text: string): string => text.replaceAll(/[\s()./-]/g, "").toLowerCase()

/**
 * Whether a stored answer mentions the person: one of their verifications or conversations, or their identity. False
 * positives are harmless: a repeated request then runs again, as it would after a day.
 */
export const tellsOf = (
  { canonical, contacts, leads, recent, type }: ErasedPerson,
  { endpoint }: ErasureStore.AnswerKey,
  body: string
): boolean => {
  if (recent.some((id) => body.includes(id) || endpoint.includes(id))) return true
  if (leads.some((id) => endpoint.includes(`/leads/${id}/`))) return true
  const text = bare(body)
  // Ten digits are a number without its country code, as some merchants send it.
  const names = type === "MOBILE" ? [canonical.slice(-10), ...contacts] : [canonical]
  return names.some((name) => text.includes(bare(name)))
}
