import { nearestName } from "@countersign/core"
import type { Environment } from "./variables/Variable.ts"
import { names, prefixes } from "./variables/variables.ts"

/** The prefix of Countersign's variables that a name starts with. */
const familyOf = (name: string) => prefixes.find((prefix) => name.startsWith(prefix))

/** The most similar name with the same prefix. */
const nearest = (written: string, family: string): string | null =>
  nearestName(
    written,
    names.filter((name) => name.startsWith(family))
  )

/** A shorter name is too likely to belong to another program, such as `PORTS`, to be reported as a typo. */
const longEnough = 8

/** Whether two names differ by one letter or only by the order of their letters. */
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

/** The variable that a name without our prefixes was probably meant to be, such as `DATABASE_ULR`. Null if that is set. */
const slipOf = (written: string, environment: Environment): string | null => {
  const meant = written.length < longEnough ? null : nearestName(written, names)
  return meant !== null && (environment[meant] ?? "") === "" && isSlip(written, meant) ? meant : null
}

/** A warning for each unknown variable that looks like one of Countersign's. Never contains a value. */
export const unknownVariables = (environment: Environment): ReadonlyArray<string> =>
  Object.keys(environment)
    .filter((name) => !names.includes(name) && (environment[name] ?? "").trim() !== "")
    .sort()
    .flatMap((name) => {
      const family = familyOf(name)
      const meant = family === undefined ? slipOf(name, environment) : nearest(name, family)
      if (family === undefined && meant === null) return []
      return [`${name}: unknown variable${meant === null ? "" : `; did you mean ${meant}?`}`]
    })
