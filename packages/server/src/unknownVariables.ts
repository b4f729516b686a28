import { nearestName } from "@countersign/core"
import type { Environment } from "./VariableReader.ts"

/** Whose names begin so is meant for us. */
const ours = /^(COUNTERSIGN|TWILIO|WHATSAPP|SMTP|TRUECALLER)_/

/** The nearest name of the same family. */
const nearest = (written: string, known: ReadonlyArray<string>): string | null => {
  const family = ours.exec(written)?.[0] ?? ""
  return nearestName(
    written,
    known.filter((name) => name.startsWith(family))
  )
}

/** A line for each variable that looks like one of ours and is none, without its value. It stops nothing. */
export const unknownVariables = (environment: Environment, known: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.keys(environment)
    .filter((name) => ours.test(name) && !known.includes(name) && (environment[name] ?? "").trim() !== "")
    .sort()
    .map((name) => {
      const meant = nearest(name, known)
      return `${name}: there is no such variable${meant === null ? "" : `; did you mean ${meant}?`}`
    })
