const defaultLanguage = "en"

/** Returns the locale's language if `words` has it, or else English. */
export const languageOf = (words: { readonly [language: string]: unknown }, locale: string): string => {
  const language = locale.toLowerCase().split(/[-_]/)[0]!
  return Object.hasOwn(words, language) ? language : defaultLanguage
}
