/** An entry of the search. */
export interface Goal {
  readonly id: string
  /** Type of the entry. */
  readonly kind: string
  readonly words: string
  /** Hidden search terms, such as the English name. */
  readonly also?: string
  readonly run: () => void
}

const plain = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase()

/** Match quality: prefix, word prefix, substring, letters in order, or none. */
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

/** The lowest rank of text that contains the search, and not only its letters in a row. */
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

/** Minimum search length of the service for leads. */
const leastLetters = 2
const leastDigits = 4
/** With masked numbers, the service accepts the visible digits, a whole number, or a name with few digits. */
const wholeNumber = 10
const mostBesideLetters = 2

/** The search text for leads, or null while the service would reject it, such as for an incomplete number. */
export const leadSearch = (typed: string, isMasked: boolean): string | null => {
  const text = typed.trim()
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const digits = text.replace(/\D/g, "").length
  if (letters >= leastLetters) return isMasked && (text.match(/\p{N}/gu)?.length ?? 0) > mostBesideLetters ? null : text
  if (digits < leastDigits) return null
  return isMasked && digits > leastDigits && digits < wholeNumber ? null : text
}

/** What the text can be: a verification's id, an identity, or words of a lead. */
export type Looked = { readonly kind: "requestId" | "identity" | "words"; readonly text: string }

export const lookedFor = (typed: string): Looked | null => {
  const text = typed.trim()
  if (text.length < 3) return null
  if (/^ver_[0-9a-z]+$/i.test(text)) return { kind: "requestId", text }
  if (/^\+?[\d\s()-]{6,}$/.test(text) || /^\S+@\S+\.\S+$/.test(text)) return { kind: "identity", text }
  return { kind: "words", text }
}
