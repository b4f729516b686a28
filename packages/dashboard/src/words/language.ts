/** The languages of the page. A screen's words are beside it, in both. */
export const languages = ["en", "hi"] as const
export type Language = (typeof languages)[number]

/** Each by its own name, as whoever reads it would look for it. */
export const languageNames: Readonly<Record<Language, string>> = { en: "English", hi: "हिन्दी" }

const kept = "countersign.language"
const isLanguage = (value: unknown): value is Language => languages.includes(value as Language)

const wished = (): Language => {
  const chosen = globalThis.localStorage?.getItem(kept)
  if (isLanguage(chosen)) return chosen
  const asked = globalThis.navigator?.languages.map((tag) => tag.slice(0, 2)).find(isLanguage)
  return asked ?? "en"
}

/** What this page speaks. It is chosen before anything is drawn, and another one is another page. */
export const language: Language = wished()

export const chooseLanguage = (next: Language): void => {
  localStorage.setItem(kept, next)
  location.reload()
}

/** The words of one language; the other must have all of them, with the same values to fill in. */
export const choose = <W extends object>(words: { readonly en: W; readonly hi: NoInfer<W> }): W => words[language]
