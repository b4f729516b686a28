/** How many letters must be put in, taken out or changed to make one name of the other. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}

/** No name is longer, and what a stranger sends in place of one may be. */
const longest = 64

/**
 * The known name that somebody who wrote `given` is likely to have meant: in another case, or with a third of its
 * letters wrong at most. Null when none is like it.
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
    if (away <= name.length / 3 && (nearest === null || away < nearest.away)) nearest = { name, away }
  }
  return nearest?.name ?? null
}
