import { nearestName } from "@countersign/core"
import type { Environment } from "./VariableReader.ts"
import { names, prefixes } from "./variables/variables.ts"

/** How a name begins that is meant for us. */
const familyOf = (name: string) => prefixes.find((prefix) => name.startsWith(prefix))

/** The nearest name of the same family. */
const nearest = (written: string, family: string): string | null =>
  nearestName(
    written,
    names.filter((name) => name.startsWith(family))
  )

/** Of so many letters a name must be for a slip to tell: `PORTS` may be another program's. */
const longEnough = 8

/** Whether two names differ by one letter, or in the order of their letters. */
const isSlip = (written: string, name: string): boolean => {
  const left = name.split("")
  let extra = 0
  for (const letter of written) {
    const at = left.indexOf(letter)
    if (at < 0) extra++
    else left.splice(at, 1)
  }
  return Math.max(extra, left.length) <= 1
}

/** The variable of ours that a name outside our families was meant for, as `DATABASE_ULR`; null where that one is set. */
const slipOf = (written: string, environment: Environment): string | null => {
  const meant = written.length < longEnough ? null : nearestName(written, names)
  return meant !== null && (environment[meant] ?? "") === "" && isSlip(written, meant) ? meant : null
}

/** A line for each variable that looks like one of ours and is none, without its value. It stops nothing. */
export const unknownVariables = (environment: Environment): ReadonlyArray<string> =>
  Object.keys(environment)
    .filter((name) => !names.includes(name) && (environment[name] ?? "").trim() !== "")
    .sort()
    .flatMap((name) => {
      const family = familyOf(name)
      const meant = family === undefined ? slipOf(name, environment) : nearest(name, family)
      if (family === undefined && meant === null) return []
      return [`${name}: there is no such variable${meant === null ? "" : `; did you mean ${meant}?`}`]
    })
