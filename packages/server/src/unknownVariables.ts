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

/** A line for each variable that looks like one of ours and is none, without its value. It stops nothing. */
export const unknownVariables = (environment: Environment): ReadonlyArray<string> =>
  Object.keys(environment)
    .filter((name) => !names.includes(name) && (environment[name] ?? "").trim() !== "")
    .sort()
    .flatMap((name) => {
      const family = familyOf(name)
      if (family === undefined) return []
      const meant = nearest(name, family)
      return [`${name}: there is no such variable${meant === null ? "" : `; did you mean ${meant}?`}`]
    })
