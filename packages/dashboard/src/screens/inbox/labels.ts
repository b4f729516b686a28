import type { Item } from "../../api/Api.ts"

export type LeadLabel = Item<"GET /v1/dashboard/leads">["labels"][number]

const lower = (text: string) => text.normalize("NFKC").trim().toLowerCase()

/** The text after `label:` in a search. Null for other searches. */
const labelText = (typed: string): string | null => /^\s*label:(.*)$/isu.exec(typed)?.[1]?.replaceAll('"', "") ?? null

/** Whether a search is for a label, such as `label:vip`. */
export const isLabelSearch = (typed: string): boolean => labelText(typed) !== null

/**
 * The label that a search such as `label:vip` means, by its name or the only name that starts so. Null when there is
 * none, and undefined for a search of another kind.
 */
export const searchedLabel = <L extends { readonly name: string }>(
  typed: string | undefined,
  labels: ReadonlyArray<L>
): L | null | undefined => {
  const text = typed === undefined ? null : labelText(typed)
  if (text === null) return undefined
  const wanted = lower(text)
  const begun = wanted === "" ? [] : labels.filter(({ name }) => lower(name).startsWith(wanted))
  return labels.find(({ name }) => lower(name) === wanted) ?? (begun.length === 1 ? begun[0]! : null)
}

/** Whether all, some or none of the leads have a label. */
export const shareOf = (
  id: string,
  leads: ReadonlyArray<{ readonly labels: ReadonlyArray<Pick<LeadLabel, "id">> }>
): "all" | "none" | "some" => {
  const { length } = leads.filter(({ labels }) => labels.some((label) => label.id === id))
  return length === 0 ? "none" : length === leads.length ? "all" : "some"
}
