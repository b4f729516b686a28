import type { Language } from "./words.ts"

const known = (tag: string): Language | null => {
  const [primary = ""] = tag.trim().toLowerCase().split(/[-_]/)
  return primary === "hi" || primary === "en" ? primary : null
}

/** The longest `Accept-Language` header that is read. */
const longest = 256

/** The reader's preferred supported language, by weight and then by order. Null when none is supported. */
const wanted = (header: string): Language | null => {
  let best: Language | null = null
  let weight = 0
  for (const entry of header.slice(0, longest).split(",")) {
    const [tag = "", ...parameters] = entry.split(";")
    const language = known(tag)
    const q = parameters.map((one) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(one)?.[1]).find((one) => one !== undefined)
    const given = q === undefined ? 1 : Number(q)
    if (language !== null && given > weight) {
      best = language
      weight = given
    }
  }
  return best
}

/** The language of a page: the browser's preference, then the merchant's locale, then English. */
export const languageOf = (acceptLanguage: string | undefined, locale: string | null): Language =>
  wanted(acceptLanguage ?? "") ?? (locale === null ? null : known(locale)) ?? "en"
