import { assert, describe, it } from "@effect/vitest"
import { globSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect } from "vitest"
import { type Statements, statements } from "./statements.ts"

const directory = fileURLToPath(new URL("../sql/", import.meta.url))

const list = (text: string) => text.split(",").map((name) => name.trim())

/** The column names of `unnest(…)`, which name its parameters. */
const namesIn = (statement: string) => {
  const names = new Map<string, string>()
  for (const [, parameters, columns] of statement.matchAll(
    /unnest\(([^()]+)\)\s*(?:with ordinality\s+)?as \w+\s*\(([^()]+)\)/g
  )) {
    const called = list(columns!)
    for (const [i, parameter] of list(parameters!).entries()) {
      const number = /^\$\d+/.exec(parameter)?.[0]
      if (number !== undefined) names.set(number, called[i]!)
    }
  }
  return names
}

/** The parameters of a statement, each with its type and name where the statement shows them. */
const parametersOf = (statement: string) => {
  const names = namesIn(statement)
  const numbers = Array.from(statement.matchAll(/\$\d+/g), ([number]) => Number(number.slice(1)))
  return Array.from({ length: Math.max(0, ...numbers) }, (_, i) => {
    const number = `$${i + 1}`
    const type = new RegExp(`\\${number}::(\\w+(?:\\[\\])?)`).exec(statement)?.[1] ?? ""
    const compared = new RegExp(`(\\w+) (?:=|<|>|<=|>=) (?:any\\()?\\${number}\\b`).exec(statement)?.[1] ?? ""
    return `--   ${number.padEnd(4)}${type.padEnd(14)}${names.get(number) ?? compared}`.trimEnd()
  })
}

/** The file explains statements and runs none. */
const fileOf = (name: string, shapes: Statements) =>
  [
    `-- The statements of "${name}", as the service sends them.`,
    `-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f ${name}.sql`,
    "-- Written by: pnpm test packages/postgres/test/statements.test.ts -u",
    ...Object.entries(shapes).map(([what, statement]) =>
      ["", `-- ${what}`, ...parametersOf(statement), "explain (generic_plan)", `${statement.trim()};`].join("\n")
    ),
    ""
  ].join("\n")

describe("the SQL in packages/postgres/sql", () => {
  it.each(Object.entries(statements))("%s.sql contains its current statements", async (name, shapes) => {
    await expect(fileOf(name, shapes)).toMatchFileSnapshot(`${directory}${name}.sql`)
  })

  it("a file without statements is deleted", () => {
    const files = readdirSync(directory).map((file) => file.replace(/\.sql$/, ""))
    assert.deepStrictEqual(files.toSorted(), Object.keys(statements).toSorted())
  })
})

describe("a row guarded by its version", () => {
  const source = fileURLToPath(new URL("../src/", import.meta.url))
  const schema = readFileSync(`${source}migrations/0001_schema.ts`, "utf8")
  const tables = [...schema.matchAll(/create table (\w+) \(([\s\S]*?)\n {2}\)/g)].flatMap(([, table, columns]) =>
    /^\s+version int/m.test(columns!) ? [table!] : []
  )
  /** Written only together with its template, whose `revision` guards both. */
  const guardedByAnother = ["template_content"]

  it("gets a new version with every update, so a commit that waited for the row conflicts and loses no write", () => {
    assert.includeMembers(tables, ["subject", "lead", "agent", "session", "campaign", "recipient"])
    const texts = [
      ...Object.values(statements).flatMap((shapes) => Object.values(shapes)),
      ...globSync("**/*.ts", { cwd: source, exclude: ["migrations/**"] }).map((file) =>
        readFileSync(`${source}${file}`, "utf8")
      )
    ]
    const updates = texts.flatMap((text) => [
      ...text.matchAll(/\bupdate (\w+)(?: \w+)?\s+set\s+([\s\S]*?)(?=\s(?:from|where|returning)\s|`)/g)
    ])
    const guarded = updates.filter(([, table]) => tables.includes(table!) && !guardedByAnother.includes(table!))
    assert.isAbove(guarded.length, 20)
    assert.deepStrictEqual(
      guarded.filter(([, , columns]) => !/\b(?:version|revision) = /.test(columns!)).map(([update]) => update),
      []
    )
  })
})
