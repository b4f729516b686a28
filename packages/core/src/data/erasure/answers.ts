import type { ErasedPerson } from "./Erasure.ts"
import type { ErasureStore } from "./ErasureStore.ts"

/** Numbers and addresses without what people put between their parts. */
const bare = (text: string): string => text.replaceAll(/[\s()./-]/g, "").toLowerCase()

/**
 * Whether a kept answer tells of the person: it names one of their verifications or conversations, or themselves. Too
 * many are no harm: a repeat is then carried out once more, as after a day.
 */
export const tellsOf = (
  { canonical, contacts, leads, recent, type }: ErasedPerson,
  { endpoint }: ErasureStore.AnswerKey,
  body: string
): boolean => {
  if (recent.some((id) => body.includes(id) || endpoint.includes(id))) return true
  if (leads.some((id) => endpoint.includes(`/leads/${id}/`))) return true
  const text = bare(body)
  // Ten digits are a number without its country, which a merchant may have sent so.
  const names = type === "MOBILE" ? [canonical.slice(-10), ...contacts] : [canonical]
  return names.some((name) => text.includes(bare(name)))
}
