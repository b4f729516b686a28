import { existsSync, readFileSync } from "node:fs"
import { dirname, extname, join } from "node:path"
import { HookKind } from "../../packages/core/src/auth/hook/hookKinds.ts"
import { hookRecipes } from "../../packages/core/src/auth/hook/hookRecipes.ts"
import type { Variable, VariableGroup } from "../../packages/server/src/variables/Variable.ts"
import { groups } from "../../packages/server/src/variables/variables.ts"
import type { Fault, Page } from "./check.ts"
import { accessMatrix } from "./accessMatrix.ts"
import { errorReference, problemReference } from "./errorReference.ts"
import { eventReference } from "./eventReference.ts"
import { methodTable } from "./serverMethods.ts"

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
const variableTables: Readonly<Record<string, () => string>> = Object.fromEntries(
  groups.map((group) => [`variables/${group.id}`, () => table(group)])
)

const recipeLanguages: { readonly [K in HookKind]: string } = {
  "supabase-sms": "toml",
  "supabase-email": "toml",
  "zitadel-sms": "sh",
  "zitadel-email": "sh",
  kratos: "yaml",
  auth0: "js",
  generic: "sh"
}

/** What to paste into each sign-in system, as `hooks/KIND`. */
const recipes: Readonly<Record<string, () => string>> = Object.fromEntries(
  HookKind.map((kind) => {
    const place = { url: `https://verify.example.com/v1/hooks/${kind}/hok_…`, secret: null }
    return [`hooks/${kind}`, () => `\`\`\`${recipeLanguages[kind]}\n${hookRecipes[kind](place).trimEnd()}\n\`\`\``]
  })
)

/**
 * Parts of pages that are made from something else, so that they are never behind it. Between
 * `<!-- generated: NAME -->` and `<!-- /generated -->` is what NAME stands for: `events` for the reference of events,
 * `errors` for that of errors, `problems` for the codes of fields, `access` for who may call what, `methods` for what calls it in TypeScript, `variables/GROUP` for
 * the table of a group of variables, `hooks/KIND` for what a sign-in system is configured with, or a file, relative to the page, as a code block.
 */
const part = /(<!-- generated: (\S+) -->\n)((?:(?!<!-- generated: |<!-- \/generated -->)[^])*)(<!-- \/generated -->)/g

const languages: Readonly<Record<string, string>> = {
  ".mjs": "js",
  ".ts": "ts",
  ".sh": "sh",
  ".py": "python",
  ".go": "go",
  ".php": "php",
  ".json": "json"
}

const makers: Readonly<Record<string, () => string>> = {
  access: accessMatrix,
  errors: errorReference,
  events: eventReference,
  methods: methodTable,
  problems: problemReference,
  ...recipes,
  ...variableTables
}

const made = (root: string, page: string, name: string): string | null => {
  const maker = makers[name]
  if (maker !== undefined) return maker()
  const path = join(root, dirname(page), name)
  if (!existsSync(path)) return null
  return `\`\`\`${languages[extname(name)] ?? ""}\n${readFileSync(path, "utf8").trimEnd()}\n\`\`\``
}

/** The page with its generated parts as they should be. */
export const renewed = (root: string, { file, text }: Page): string =>
  text.replace(part, (whole: string, open: string, name: string, _old: string, close: string) => {
    const now = made(root, file, name)
    return now === null ? whole : `${open}${now}\n${close}`
  })

/** Generated parts that are not what they should be, or that do not end. */
export const staleParts = (root: string, pages: ReadonlyArray<Page>): ReadonlyArray<Fault> =>
  pages.flatMap(({ file, text }) => {
    const ended = new Map([...text.matchAll(part)].map(({ 3: old, index }) => [index, old]))
    return [...text.matchAll(/<!-- generated: (\S+) -->/g)].flatMap(({ 1: name = "", index }): ReadonlyArray<Fault> => {
      const line = text.slice(0, index).split("\n").length
      const old = ended.get(index)
      if (old === undefined) return [{ file, line, message: `"${name}" does not end: <!-- /generated --> is missing` }]
      const now = made(root, file, name)
      if (now === null) return [{ file, line, message: `"${name}" does not exist, so nothing can be made of it` }]
      return `${now}\n` === old ? [] : [{ file, line, message: `"${name}" has changed: run npx -y pnpm@12 write-docs` }]
    })
  })
