const defaultLanguage = "en"

/** The language to write in: the locale's, where there are words in it, or else English. */
export const languageOf = (words: { readonly [language: string]: unknown }, locale: string): string => {
  const language = locale.toLowerCase().split(/[-_]/)[0]!
  return Object.hasOwn(words, language) ? language : defaultLanguage
}
