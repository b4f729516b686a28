/** How SMS encodes a text, which decides its price. */
export interface SmsLength {
  readonly encoding: "GSM-7" | "UCS-2"
  /** Septets or UTF-16 code units. */
  readonly units: number
  readonly segments: number
}

const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
/** Characters that cost two septets each. */
const extended = new Set("\f^{}\\[~]|€")

/** A character is never split: it moves to the next segment as a whole. */
const segmentsOf = (sizes: ReadonlyArray<number>, units: number, single: number, joined: number): number => {
  if (units <= single) return 1
  let segments = 1
  let used = 0
  for (const size of sizes) {
    if (used + size > joined) {
      segments++
      used = 0
    }
    used += size
  }
  return segments
}

/**
 * Returns the characters that force a text out of the GSM alphabet. A single one more than halves the capacity of a
 * segment.
 */
export const outsideGsm = (text: string): ReadonlyArray<string> => [
  ...new Set(Array.from(text).filter((character) => !basic.has(character) && !extended.has(character)))
]

/** Returns the encoding, length and number of segments of a text. */
export const measure = (text: string): SmsLength => {
  const characters = Array.from(text)
  if (outsideGsm(text).length > 0) {
    const sizes = characters.map(({ length }) => length)
    return { encoding: "UCS-2", units: text.length, segments: segmentsOf(sizes, text.length, 70, 67) }
  }
  const sizes = characters.map((character) => (extended.has(character) ? 2 : 1))
  const units = sizes.reduce((sum, size) => sum + size, 0)
  return { encoding: "GSM-7", units, segments: segmentsOf(sizes, units, 160, 153) }
}
