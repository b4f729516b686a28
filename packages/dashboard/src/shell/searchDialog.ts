/** The fewest letters or digits with which the service searches leads. */
const minLetters = 2
const minDigits = 4
/**
 * For users who see masked numbers, the service accepts the four visible digits, a complete number, or a name with at
 * most two digits.
 */
const fullNumberDigits = 10
const maxDigitsWithName = 2

/** The text to search leads for. Null when the service would reject it, for example one letter. */
export const leadSearch = (typed: string, isMasked: boolean): string | null => {
  const text = typed.trim()
  // The service counts the letters of different words.
  const words = new Set(text.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u))
  const letters = [...words].join("").match(/\p{L}/gu)?.length ?? 0
  const digits = text.replace(/\D/g, "").length
  if (letters >= minLetters) return isMasked && (text.match(/\p{N}/gu)?.length ?? 0) > maxDigitsWithName ? null : text
  if (digits < minDigits) return null
  return isMasked && digits > minDigits && digits < fullNumberDigits ? null : text
}

/** How the search text is understood: as a verification's id, a phone number or e-mail address, or a lead's words. */
export type ParsedSearch = { readonly kind: "requestId" | "identity" | "words"; readonly text: string }

export const parseSearch = (typed: string): ParsedSearch | null => {
  const text = typed.trim()
  if (text.length < 3) return null
  if (/^ver_[0-9a-z]+$/i.test(text)) return { kind: "requestId", text }
  if (/^\+?[\d\s()-]{6,}$/.test(text) || /^\S+@\S+\.\S+$/.test(text)) return { kind: "identity", text }
  return { kind: "words", text }
}
