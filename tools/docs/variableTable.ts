import type { Variable, VariableGroup } from "../../packages/server/src/variables/Variable.ts"
import { groups } from "../../packages/server/src/variables/variables.ts"

const code = (text: string) => `\`${text}\``

const meaning = ({ about, more, secret }: Variable) =>
  [about, ...(more === undefined ? [] : [more]), ...(secret === true ? ["**Secret**"] : [])].join(". ")

const table = ({ together, variables }: VariableGroup): string => {
  const needed = new Set(variables.flatMap(({ needs = [] }) => needs))
  const rows = variables.map((variable) => [
    code(variable.name),
    ...(together === true ? [needed.has(variable.name) || variables.length === 1 ? "yes" : ""] : []),
    variable.default ?? (needed.has(variable.name) && together === true ? "" : "none"),
    code(variable.example),
    meaning(variable)
  ])
  const head = ["variable", ...(together === true ? ["required"] : []), "default", "example", "meaning"]
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}

/** The table of each group of variables, as `variables/ID`. */
export const variableTables: Readonly<Record<string, () => string>> = Object.fromEntries(
  groups.map((group) => [`variables/${group.id}`, () => table(group)])
)
