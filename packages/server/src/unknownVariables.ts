import type { Environment } from "./Configuration.ts"

/** Whose names begin so is meant for us. */
const ours = /^(COUNTERSIGN|TWILIO|WHATSAPP|SMTP|TRUECALLER)_/

/** A letter that was left out is the likeliest slip: names are shortened more often than they are misspelt. */
const leftOut = 0.25

/** How far what was written is from a name: letters changed, letters too many, letters left out. */
const distance = (written: string, name: string): number => {
  let row = Array.from({ length: name.length + 1 }, (_, i) => i * leftOut)
  for (let i = 1; i <= written.length; i++) {
    const next = [i]
    for (let j = 1; j <= name.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + leftOut, row[j - 1]! + (written[i - 1] === name[j - 1] ? 0 : 1)))
    row = next
  }
  return row[name.length]!
}

const farthest = 5

/** The nearest name of the same family. */
const nearest = (written: string, known: ReadonlyArray<string>): string | undefined => {
  const family = ours.exec(written)?.[0] ?? ""
  const [first] = known
    .filter((name) => name.startsWith(family))
    .map((name) => ({ name, far: distance(written, name) }))
    .filter(({ far }) => far <= farthest)
    .sort((a, b) => a.far - b.far)
  return first?.name
}

/** A line for each variable that looks like one of ours and is none, without its value. It stops nothing. */
export const unknownVariables = (environment: Environment, known: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.keys(environment)
    .filter((name) => ours.test(name) && !known.includes(name) && (environment[name] ?? "").trim() !== "")
    .sort()
    .map((name) => {
      const meant = nearest(name, known)
      return `${name}: there is no such variable${meant === undefined ? "" : `; did you mean ${meant}?`}`
    })
