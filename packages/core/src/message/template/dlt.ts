import * as Problem from "../../foundation/identity/Problem.ts"

/** How many characters each variable of a registered text may hold, except variables for URLs. */
export const longestValue = 30

/** Matches `{#var#}`, and typed variables: `{#numeric#}`, `{#url#}`. */
const place = /\{#\s*([a-z]+)\s*#\}/gi

/** Limits the variables in a text, because each one costs a pass over every character. Registered texts have fewer. */
const mostPlaces = 50

/** Returns the first DLT variable in a text, or null. */
export const registeredPlaceIn = (text: string): string | null => /\{#[^#{}]*#\}/.exec(text)?.[0] ?? null

/**
 * Returns why a text does not match the registered text; null when it does. The fixed parts must match exactly. Each
 * variable holds up to 30 characters; a variable for a URL holds any length.
 */
export const differsFrom = (registered: string, text: string): Problem.Problem | null => {
  const statics = registered.split(place).filter((_, index) => index % 2 === 0)
  const kinds = Array.from(registered.matchAll(place), ([, kind]) => kind!.toLowerCase())
  if (kinds.length > mostPlaces) return Problem.of("DLT_PLACES", { max: mostPlaces })
  const [start = "", ...rest] = statics
  if (!text.startsWith(start)) return Problem.of("DLT_START", { text: start })
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
      return piece === "" ? Problem.of("DLT_END", { max: most }) : Problem.of("DLT_BEFORE", { max: most, text: piece })
    }
    ends = next
  }
  return ends.has(text.length) ? null : Problem.of("DLT_REST")
}
