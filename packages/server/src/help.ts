import type { Variable } from "./variables/Variable.ts"
import { groups } from "./variables/variables.ts"

const plain = (text: string) => text.replaceAll("`", "")

const indent = 2
const width = 96

/** Words in lines of bounded length. */
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
  const from = secret === true ? ` Or ${name}_FILE, the path of a file.` : ""
  const text = `${plain(about)}. Default: ${plain(usual ?? "none")}. Example: ${plain(example)}.${from}`
  return `  ${name}\n${wrapped(text.split(" "), deep)}`
}

/** Every variable, with what it is for. */
export const variablesHelp: string = [
  "VARIABLES",
  ...groups.map(({ title, variables }) => [title, ...variables.map(entry)].join("\n")),
  "docs/configuration.md says more of each. countersign check tries them out."
].join("\n\n")

/** The names alone, for a look at what there is. */
export const variablesOverview: string = [
  "VARIABLES",
  ...groups.map(
    ({ title, variables }) =>
      `  ${title}\n${wrapped(
        variables.map(({ name }) => name),
        " ".repeat(2 * indent)
      )}`
  ),
  "  countersign help variables says what each is for. Every secret may be read from a file: NAME_FILE is its path."
].join("\n")
