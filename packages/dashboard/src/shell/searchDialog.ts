/** An entry that the search dialog can open, such as a screen, a setting or a lead. */
export interface Goal {
  readonly id: string
  /** The label of the entry's type. */
  readonly kind: string
  readonly words: string
  /** Hidden search terms, such as the English name. */
  readonly also?: string
  readonly run: () => void
}

const plain = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase()

/**
 * Match quality: 4 for a prefix, 3 for the start of a word, 2 for a substring, 1 for all letters in order, 0 for no
 * match.
 */
export const rank = (words: string, typed: string): number => {
  const [text, wanted] = [plain(words), plain(typed.trim())]
  if (wanted === "") return 1
  if (text.startsWith(wanted)) return 4
  if (text.includes(` ${wanted}`)) return 3
  if (text.includes(wanted)) return 2
  let at = 0
  for (const letter of text) if (letter === wanted[at]) at++
  return at === wanted.length && wanted.length > 1 ? 1 : 0
}

/** The lowest rank of text that contains the whole search text, not just its letters in order. */
export const whole = 2

const rankOf = ({ also = "", words }: Goal, typed: string) => {
  const other = rank(also, typed)
  return Math.max(rank(words, typed), other < whole ? 0 : other)
}

/** Matching entries, best first. Ties keep their order. */
export const fitting = (goals: ReadonlyArray<Goal>, typed: string, most = 12, least = 1): ReadonlyArray<Goal> =>
  goals
    .map((goal) => ({ goal, fit: rankOf(goal, typed) }))
    .filter(({ fit }) => fit >= least)
    .sort((a, b) => b.fit - a.fit)
    .slice(0, most)
    .map(({ goal }) => goal)

/** The fewest letters or digits with which the service searches leads. */
const leastLetters = 2
const leastDigits = 4
/**
 * For users who see masked numbers, the service accepts the four visible digits, a complete number, or a name with at
 * most two digits.
 */
const wholeNumber = 10
const mostBesideLetters = 2

/** The text to search leads for. Null when the service would reject it, for example one letter. */
export const leadSearch = (typed: string, isMasked: boolean): string | null => {
  const text = typed.trim()
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const digits = text.replace(/\D/g, "").length
  if (letters >= leastLetters) return isMasked && (text.match(/\p{N}/gu)?.length ?? 0) > mostBesideLetters ? null : text
  if (digits < leastDigits) return null
  return isMasked && digits > leastDigits && digits < wholeNumber ? null : text
}

/** How the search text is understood: as a verification's id, a phone number or e-mail address, or a lead's words. */
export type Looked = { readonly kind: "requestId" | "identity" | "words"; readonly text: string }

export const lookedFor = (typed: string): Looked | null => {
  const text = typed.trim()
  if (text.length < 3) return null
  if (/^ver_[0-9a-z]+$/i.test(text)) return { kind: "requestId", text }
  if (/^\+?[\d\s()-]{6,}$/.test(text) || /^\S+@\S+\.\S+$/.test(text)) return { kind: "identity", text }
  return { kind: "words", text }
}
