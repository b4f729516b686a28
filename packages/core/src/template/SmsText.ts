/** How a text travels over SMS, which decides what it costs. */
export interface SmsLength {
  readonly encoding: "GSM-7" | "UCS-2"
  /** Septets or UTF-16 code units. */
  readonly units: number
  readonly segments: number
}

const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
/** They cost two septets each. */
const extended = new Set("\f^{}\\[~]|€")

const segmentsOf = (units: number, single: number, joined: number) => (units <= single ? 1 : Math.ceil(units / joined))

/** The characters that force a text out of the short alphabet: one of them more than halves what a segment holds. */
export const outsideGsm = (text: string): ReadonlyArray<string> => [
  ...new Set(Array.from(text).filter((character) => !basic.has(character) && !extended.has(character)))
]

/** The encoding, length and number of segments of a text. */
export const measure = (text: string): SmsLength => {
  if (outsideGsm(text).length > 0) {
    return { encoding: "UCS-2", units: text.length, segments: segmentsOf(text.length, 70, 67) }
  }
  const units = Array.from(text).reduce((sum, character) => sum + (extended.has(character) ? 2 : 1), 0)
  return { encoding: "GSM-7", units, segments: segmentsOf(units, 160, 153) }
}
