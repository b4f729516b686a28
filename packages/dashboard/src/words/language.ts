/** Languages of the page. Each screen's `words.ts` has all of them. */
export const languages = ["en", "hi"] as const
export type Language = (typeof languages)[number]

/** Languages by their own names, for the language select. */
export const languageNames: Readonly<Record<Language, string>> = { en: "English", hi: "हिन्दी" }

const kept = "countersign.language"
const isLanguage = (value: unknown): value is Language => languages.includes(value as Language)

/** The language that the user chose. The browser may forbid the storage. */
const chosenBefore = (): string | null => {
  try {
    return globalThis.localStorage?.getItem(kept) ?? null
  } catch {
    return null
  }
}

const wished = (): Language => {
  const chosen = chosenBefore()
  if (isLanguage(chosen)) return chosen
  const asked = globalThis.navigator?.languages.map((tag) => tag.slice(0, 2)).find(isLanguage)
  return asked ?? "en"
}

/**
 * Language of the page. It is fixed before rendering; switching reloads the page. The build writes a language here: each
 * has scripts of its own.
 */
export const language: Language = wished()

export const chooseLanguage = (next: Language): void => {
  localStorage.setItem(kept, next)
  location.reload()
}

/** Picks the texts of the current language. All languages must have the same keys and parameters. */
export const choose = <W extends object>(words: { readonly en: W; readonly hi: NoInfer<W> }): W => words[language]
