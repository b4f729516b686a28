const runOf = (length: number, between: string) =>
  new RegExp(`(?<![0-9])[0-9](?:${between}[0-9]){${length - 1}}(?![0-9])`)

/**
 * The code in typed or pasted text: `123456`, `123 456`, or a whole message. Digits alone are a code that is still
 * being typed. Text without a code gives an empty string.
 *
 * @example
 * ```ts
 * codeIn("123 456 is your code, valid for 5 minutes", 6) // "123456"
 * ```
 */
export const codeIn = (text: string, length: number): string => {
  const plain = text.normalize("NFKC")
  const digits = plain.replace(/[^0-9]/g, "")
  if (/^[0-9\s.-]*$/.test(plain)) return digits.slice(0, length)
  const found = runOf(length, "").exec(plain) ?? runOf(length, "[\\s.-]?").exec(plain)
  return found === null ? "" : found[0].replace(/[^0-9]/g, "")
}
