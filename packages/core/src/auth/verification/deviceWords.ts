const longest = 80

/** Reads one word of a device description, without control characters. Empty when the value is no text. */
export const word = (value: unknown): ReadonlyArray<string> => {
  const text = typeof value === "string" ? value.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "").trim() : ""
  return text === "" ? [] : [text]
}

/** Joins the words and cuts them to what a page can show. Null when there are no words. */
export const sayOf = (words: ReadonlyArray<string>): string | null =>
  words.length === 0 ? null : Array.from(words.join(", ")).slice(0, longest).join("")
