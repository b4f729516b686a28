const defaultLanguage = "en"

/** The language to use: the locale's if it has words, else English. */
export const languageOf = (words: { readonly [language: string]: unknown }, locale: string): string => {
  const language = locale.toLowerCase().split(/[-_]/)[0]!
  return Object.hasOwn(words, language) ? language : defaultLanguage
}
