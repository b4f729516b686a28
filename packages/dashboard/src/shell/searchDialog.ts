/** An entry that the search dialog can open, such as a screen, a setting or a lead. */
export interface SearchEntry {
  readonly id: string
  /** The label of the entry's type. */
  readonly kind: string
  readonly label: string
  /** Hidden search terms, such as the English name. */
  readonly aliases?: string
  readonly run: () => void
}

const normalise = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase()

/**
 * Match quality: 4 for a prefix, 3 for the start of a word, 2 for a substring, 1 for all letters in order, 0 for no
 * match.
 */
export const matchRank = (label: string, typed: string): number => {
  const [text, query] = [normalise(label), normalise(typed.trim())]
  if (query === "") return 1
  if (text.startsWith(query)) return 4
  if (text.includes(` ${query}`)) return 3
  if (text.includes(query)) return 2
  let matched = 0
  for (const letter of text) if (letter === query[matched]) matched++
  return matched === query.length && query.length > 1 ? 1 : 0
}

/** The lowest rank of text that contains the whole search text, not just its letters in order. */
export const substringRank = 2

const entryRank = ({ aliases = "", label }: SearchEntry, typed: string) => {
  const aliasRank = matchRank(aliases, typed)
  return Math.max(matchRank(label, typed), aliasRank < substringRank ? 0 : aliasRank)
}

/** Matching entries, best first. Ties keep their order. */
export const matchingEntries = (
  entries: ReadonlyArray<SearchEntry>,
  typed: string,
  limit = 12,
  minRank = 1
): ReadonlyArray<SearchEntry> =>
  entries
    .map((entry) => ({ entry, rank: entryRank(entry, typed) }))
    .filter(({ rank }) => rank >= minRank)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, limit)
    .map(({ entry }) => entry)

/** The fewest letters or digits with which the service searches leads. */
const minLetters = 2
const minDigits = 4
/**
 * For users who see masked numbers, the service accepts the four visible digits, a complete number, or a name with at
 * most two digits.
 */
const fullNumberDigits = 10
const maxDigitsWithName = 2

/** The text to search leads for. Null when the service would reject it, for example one letter. */
export const leadSearch = (typed: string, isMasked: boolean): string | null => {
  const text = typed.trim()
  // The service counts the letters of different words.
  const words = new Set(text.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u))
  const letters = [...words].join("").match(/\p{L}/gu)?.length ?? 0
  const digits = text.replace(/\D/g, "").length
  if (letters >= minLetters) return isMasked && (text.match(/\p{N}/gu)?.length ?? 0) > maxDigitsWithName ? null : text
  if (digits < minDigits) return null
  return isMasked && digits > minDigits && digits < fullNumberDigits ? null : text
}

/** How the search text is understood: as a verification's id, a phone number or e-mail address, or a lead's words. */
export type ParsedSearch = { readonly kind: "requestId" | "identity" | "words"; readonly text: string }

export const parseSearch = (typed: string): ParsedSearch | null => {
  const text = typed.trim()
  if (text.length < 3) return null
  if (/^ver_[0-9a-z]+$/i.test(text)) return { kind: "requestId", text }
  if (/^\+?[\d\s()-]{6,}$/.test(text) || /^\S+@\S+\.\S+$/.test(text)) return { kind: "identity", text }
  return { kind: "words", text }
}
