/** How many characters each place of a registered text may hold, except places for addresses. */
export const longestValue = 30

/** `{#var#}`, and typed places: `{#numeric#}`, `{#url#}`. */
const place = /\{#\s*([a-z]+)\s*#\}/gi

/** The most places in a text. No registered text has more, and each place costs a pass over every character. */
const mostPlaces = 50

/** How registered texts write a place. */
export const registeredPlaceIn = (text: string): string | null => /\{#[^#{}]*#\}/.exec(text)?.[0] ?? null

/**
 * Why a text does not match the registered text; null when it does. The fixed text must match exactly. Each place may
 * hold up to 30 characters, and a place for an address may hold an address of any length.
 */
export const differsFrom = (registered: string, text: string): string | null => {
  const statics = registered.split(place).filter((_, index) => index % 2 === 0)
  const kinds = Array.from(registered.matchAll(place), ([, kind]) => kind!.toLowerCase())
  if (kinds.length > mostPlaces) return `has more than ${mostPlaces} places`
  const [start = "", ...rest] = statics
  if (!text.startsWith(start)) return `does not begin with “${start}”, as the text that is registered does`
  /** The positions that the registered text may have reached: a place can end at several characters. */
  let ends = new Set([start.length])
  for (const [index, piece] of rest.entries()) {
    const most = kinds[index] === "url" ? text.length : longestValue
    const next = new Set<number>()
    for (const end of ends) {
      for (let length = 1; length <= most && end + length <= text.length; length++) {
        if (text.startsWith(piece, end + length)) next.add(end + length + piece.length)
      }
    }
    if (next.size === 0) {
      const where = piece === "" ? "at its end" : `before “${piece}”`
      return `does not fit the text that is registered ${where}, where a place takes 1 to ${most} characters`
    }
    ends = next
  }
  return ends.has(text.length) ? null : "goes on where the text that is registered ends"
}
