/** A missing letter counts least, because people shorten names more often than they misspell them. */
const leftOut = 0.25

/** The edit distance between a text and a name: changed, extra and missing letters. */
const distance = (written: string, name: string): number => {
  let row = Array.from({ length: name.length + 1 }, (_, i) => i * leftOut)
  for (let i = 1; i <= written.length; i++) {
    const next = [i]
    for (let j = 1; j <= name.length; j++) {
      const changed = row[j - 1]! + (written[i - 1] === name[j - 1] ? 0 : 1)
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + leftOut))
    }
    row = next
  }
  return row[name.length]!
}

/** Limits the compared length: no name is longer, but the input may be. */
const longest = 64

/**
 * The known name most similar to `given`: in another case, shortened, or with at most a third of its letters wrong.
 * Null when none is similar.
 *
 * @example
 * ```ts
 * import { nearestName } from "@countersign/core"
 *
 * nearestName("codelenght", ["codeLength", "maxAttempts"]) // "codeLength"
 * ```
 */
export const nearestName = (given: string, known: Iterable<string>): string | null => {
  if (given.length > longest) return null
  const plain = given.toLowerCase()
  let nearest: { readonly name: string; readonly away: number } | null = null
  for (const name of known) {
    const away = distance(plain, name.toLowerCase())
    if (away <= Math.min(plain.length, name.length) / 3 && (nearest === null || away < nearest.away))
      nearest = { name, away }
  }
  return nearest?.name ?? null
}
