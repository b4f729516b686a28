import type { Variable } from "./variables/Variable.ts"
import { groups } from "./variables/variables.ts"

const plain = (text: string) => text.replaceAll("`", "")

const indent = 2
const width = 96

/** Wraps words into lines of at most `width` characters. */
const wrapped = (words: ReadonlyArray<string>, before: string): string => {
  const lines = [""]
  for (const word of words) {
    const last = lines.at(-1) ?? ""
    if (last !== "" && before.length + last.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`
  }
  return lines.map((line) => before + line).join("\n")
}

const deep = " ".repeat(3 * indent)

const entry = ({ about, default: usual, example, name, secret }: Variable): string => {
  const from = secret === true ? ` Or set ${name}_FILE to the path of a file.` : ""
  const text = `${plain(about)}. Default: ${plain(usual ?? "none")}. Example: ${plain(example)}.${from}`
  return `  ${name}\n${wrapped(text.split(" "), deep)}`
}

/** Every variable with its description. */
export const variablesHelp: string = [
  "VARIABLES",
  ...groups.map(({ title, variables }) => [title, ...variables.map(entry)].join("\n")),
  "See docs/configuration.md for details. Run countersign check to check your values."
].join("\n\n")

/** The names of all variables. */
export const variablesOverview: string = [
  "VARIABLES",
  ...groups.map(
    ({ title, variables }) =>
      `  ${title}\n${wrapped(
        variables.map(({ name }) => name),
        " ".repeat(2 * indent)
      )}`
  ),
  "  Run countersign help variables for descriptions. To read a secret from a file, set NAME_FILE to its path."
].join("\n")
