/** Something that the palette leads to. */
export interface Goal {
  readonly id: string
  /** Of what kind it is, in a word. */
  readonly kind: string
  readonly words: string
  /** The other language's word and what people call it: found by, and not shown. */
  readonly also?: string
  readonly run: () => void
}

const plain = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase()

/** How well words fit: at the beginning, at the beginning of a word, inside, as letters in a row, not at all. */
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

/** What fits, the best first; of equals in the order they came. */
export const fitting = (goals: ReadonlyArray<Goal>, typed: string, most = 12): ReadonlyArray<Goal> =>
  goals
    .map((goal) => ({
      goal,
      fit: Math.max(rank(goal.words, typed), rank(goal.also ?? "", typed) * (goal.also ? 1 : 0))
    }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .slice(0, most)
    .map(({ goal }) => goal)

/** What the service needs at least to search leads. */
const leastLetters = 2
const leastDigits = 4
/** With masked numbers: the digits that a mask shows, a whole number, or a name with few digits in it. */
const wholeNumber = 10
const mostBesideLetters = 2

/** What leads are searched for. Null for what the service would refuse, as a number that is still being typed. */
export const leadSearch = (typed: string, isMasked: boolean): string | null => {
  const text = typed.trim()
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const digits = text.replace(/\D/g, "").length
  if (letters >= leastLetters) return isMasked && (text.match(/\p{N}/gu)?.length ?? 0) > mostBesideLetters ? null : text
  if (digits < leastDigits) return null
  return isMasked && digits > leastDigits && digits < wholeNumber ? null : text
}

/** What somebody looks for by its number: a verification's id, a phone number or an address, a lead's words. */
export type Looked = { readonly kind: "requestId" | "identity" | "words"; readonly text: string }

export const lookedFor = (typed: string): Looked | null => {
  const text = typed.trim()
  if (text.length < 3) return null
  if (/^ver_[0-9a-z]+$/i.test(text)) return { kind: "requestId", text }
  if (/^\+?[\d\s()-]{6,}$/.test(text) || /^\S+@\S+\.\S+$/.test(text)) return { kind: "identity", text }
  return { kind: "words", text }
}
