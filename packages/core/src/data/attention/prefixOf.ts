/** Few enough digits to name no person: the country code and the operator's range. Short numbers keep more back. */
const length = 7
const keptBack = 5
const leastShare = 0.5

/** The beginning of most of these phone numbers, as `+9198765`. Null when no beginning has half of them. */
export const prefixOf = (numbers: ReadonlyArray<string>): string | null => {
  const counts = new Map<string, number>()
  for (const number of numbers) {
    const prefix = number.slice(0, Math.max(0, Math.min(length, number.length - keptBack)))
    counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return most !== undefined && numbers.length > 1 && most[1] / numbers.length >= leastShare ? `+${most[0]}` : null
}
