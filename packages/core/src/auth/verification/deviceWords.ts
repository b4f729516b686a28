const longest = 80

/** One word of an app's description of a device, or none: without what controls the text around it. */
export const word = (value: unknown): ReadonlyArray<string> => {
  const text = typeof value === "string" ? value.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "").trim() : ""
  return text === "" ? [] : [text]
}

/** What such words come to, cut to what a page can show. Null when they say nothing. */
export const sayOf = (words: ReadonlyArray<string>): string | null =>
  words.length === 0 ? null : Array.from(words.join(", ")).slice(0, longest).join("")
