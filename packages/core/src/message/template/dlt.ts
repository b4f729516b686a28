/** What each place of a registered text may hold, in characters, where it is not for an address. */
export const longestValue = 30

/** `{#var#}`, and the places that say what they are for: `{#numeric#}`, `{#url#}`. */
const place = /\{#\s*([a-z]+)\s*#\}/gi

/** Nobody registers a text with more of them, and each costs a look at every character. */
const mostPlaces = 50

/** How registered texts write a place, if a text has one. */
export const registeredPlaceIn = (text: string): string | null => /\{#[^#{}]*#\}/.exec(text)?.[0] ?? null

/**
 * Why a text is not the one that is registered: all of it must be there to the letter, and between that at most 30
 * characters in each place, or an address of any length in a place for one. Null when it is.
 */
export const differsFrom = (registered: string, text: string): string | null => {
  const statics = registered.split(place).filter((_, index) => index % 2 === 0)
  const kinds = Array.from(registered.matchAll(place), ([, kind]) => kind!.toLowerCase())
  if (kinds.length > mostPlaces) return `has more than ${mostPlaces} places`
  const [start = "", ...rest] = statics
  if (!text.startsWith(start)) return `does not begin with “${start}”, as the text that is registered does`
  /** Where the registered text could have come to: a place may end at any of several characters. */
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
