/** An entry that the palette can open or run: a page, a setting, a user, an action. */
export interface PaletteEntry {
  readonly id: string
  /** The label of the entry's type. */
  readonly kind: string
  readonly label: string
  /** Usual names, separated by commas. They are never shown. */
  readonly aliases?: string
  /** Why the user's role cannot run it. */
  readonly blocked?: string | undefined
  readonly run: () => void
}

/** Ranks of a match, higher is better. Hits of the service can be better than any label. */
export const rank = {
  /** The service found exactly this one, by a whole identity, an id or the last digits. */
  certain: 7,
  exact: 6,
  prefix: 5,
  word: 4,
  /** Each typed word begins a word of the entry. */
  words: 3,
  substring: 2,
  /** All typed letters in their order, with others between them. */
  letters: 1,
  none: 0
} as const

/**
 * Comparable form of a text: lower case, without Latin diacritics, the nukta and invisible joiners. Devanagari vowel
 * signs stay, because without them different words are equal.
 */
export const comparable = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f\u2026]|\u093c|\u200c|\u200d|\.\.\./g, "")
    .replaceAll("\u0901", "\u0902")
    .toLowerCase()
    .replaceAll(/[-–_/·,:()+]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()

const containsLetters = (text: string, letters: string): boolean => {
  const left = text[Symbol.iterator]()
  return Array.from(letters).every((letter) => {
    for (let next = left.next(); next.done !== true; next = left.next()) if (next.value === letter) return true
    return false
  })
}

const rankOfTerm = (term: string, query: string): number => {
  if (term === query) return rank.exact
  if (term.startsWith(query)) return rank.prefix
  return ` ${term}`.includes(` ${query}`) ? rank.word : rank.none
}

/** How well an entry matches the typed text, by its label and its usual names. */
export const rankOf = ({ aliases = "", label }: Pick<PaletteEntry, "aliases" | "label">, typed: string): number => {
  const query = comparable(typed)
  if (query === "") return rank.none
  const name = comparable(label)
  const terms = [name, ...aliases.split(",").map(comparable)].filter((term) => term !== "")
  const best = Math.max(...terms.map((term) => rankOfTerm(term, query)), rank.none)
  if (best > rank.none) return best
  const words = terms.join(" ").split(" ")
  if (query.split(" ").every((typedWord) => words.some((word) => word.startsWith(typedWord)))) return rank.words
  if (terms.some((term) => term.includes(query))) return rank.substring
  return query.length > 1 && containsLetters(name, query) ? rank.letters : rank.none
}

/** A hit of the service. It matched by something that the label may not show, such as the masked digits. */
export interface Hit {
  readonly entry: PaletteEntry
  /** Whether the service found exactly this one. A common name is not certain. */
  readonly isCertain: boolean
  /** Whether the service searched for the text that is typed now, and not for an earlier one. */
  readonly isFresh: boolean
}

const rankOfHit = ({ entry, isCertain, isFresh }: Hit, typed: string): number => {
  const byLabel = rankOf(entry, typed)
  // A hit for an earlier text stays while it still matches, so that the list does not flicker.
  if (!isFresh) return byLabel >= rank.substring ? byLabel : rank.none
  return isCertain ? rank.certain : Math.max(byLabel, rank.words)
}

export interface Choices {
  /** Actions and pages. */
  readonly always: ReadonlyArray<PaletteEntry>
  readonly settings: ReadonlyArray<PaletteEntry>
  readonly hits: ReadonlyArray<Hit>
}

const most = 20

/**
 * What the palette lists for a typed text, best first. Ties keep the order: actions and pages, hits, settings.
 * Scattered letters find pages and actions alone: by them, half of all settings match any name.
 */
export const listedFor = (typed: string, { always, hits, settings }: Choices): ReadonlyArray<PaletteEntry> =>
  [
    ...always.map((entry) => ({ entry, rank: rankOf(entry, typed) })),
    ...hits.map((hit) => ({ entry: hit.entry, rank: rankOfHit(hit, typed) })),
    ...settings.map((entry) => ({ entry, rank: rankOf(entry, typed) })).filter((each) => each.rank >= rank.substring)
  ]
    .filter((each) => each.rank > rank.none)
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, most)
    .map(({ entry }) => entry)
