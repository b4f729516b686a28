/** What a change takes from a text and adds to it, line by line, each with the line's number. */
export const lineDiff = (before: string, after: string): ReadonlyArray<string> => {
  const [old, now] = [before.split("\n"), after.split("\n")]
  const common: Array<Array<number>> = Array.from({ length: old.length + 1 }, () =>
    new Array<number>(now.length + 1).fill(0)
  )
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i]![j] = old[i] === now[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
  const said: Array<string> = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      i++
      j++
    } else if (j >= now.length || (i < old.length && common[i + 1]![j]! >= common[i]![j + 1]!)) {
      said.push(`${String(i + 1).padStart(5)} - ${old[i]}`)
      i++
    } else {
      said.push(`${String(j + 1).padStart(5)} + ${now[j]}`)
      j++
    }
  }
  return said
}
