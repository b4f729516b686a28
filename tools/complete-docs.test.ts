import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { Api } from "../packages/http/src/Api.ts"
import { SettingsFields } from "../packages/core/src/account/merchant/Settings.ts"
import { members, workspaceRoot } from "./workspace.ts"

const page = (file: string) => readFileSync(join(workspaceRoot, file), "utf8")

/** The words in backquotes in the first cell of every table row. */
const firstCells = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^\| ([^|]*) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word)
  )

/** The calls in the first cells of tables: `GET /v1/auth/status`, or `GET` for the path of the whole table. */
const calls = (text: string, under = ""): ReadonlyArray<string> =>
  firstCells(text).flatMap((word) => {
    const [, method, path = ""] = /^(GET|POST|PUT|PATCH|DELETE)(?: (\/\S*))?$/.exec(word) ?? []
    return method === undefined || (path === "" && under === "") ? [] : [`${method} ${under}${path}`]
  })

describe("the documentation", () => {
  it("docs/configuration.md has every setting, and no unknown one", () => {
    const text = page("docs/configuration.md")
    const rows = firstCells(text.slice(text.indexOf("\n## Settings\n")))
    assert.deepStrictEqual([...rows].sort(), Object.keys(SettingsFields).sort())
  })

  it("docs/http-api.md and docs/webhooks.md have every call of the contract, and no unknown one", () => {
    const told = [...calls(page("docs/http-api.md")), ...calls(page("docs/webhooks.md"), "/v1/dashboard/webhooks")]
    const contract = Object.values(Api.groups)
      .flatMap((group) => Object.values(group.endpoints))
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`)
    assert.deepStrictEqual([...new Set(told)].sort(), contract.sort())
  })

  it("docs/changing.md has only paths that exist", () => {
    const paths = [...page("docs/changing.md").matchAll(/`([\w.-]+\/[\w./-]+)`/g)].map(([, path = ""]) => path)
    const missing = paths.filter(
      (path) => !["", "packages"].some((under) => existsSync(join(workspaceRoot, under, path)))
    )
    const planned = ["core/src/engagement/poke", "core/test/poke", "http/src/pokes"]
    assert.deepStrictEqual([...new Set(missing)].sort(), planned)
  })

  it("README.md and docs/installing.md have every published package", () => {
    const names = members(workspaceRoot)
      .filter(({ manifest }) => manifest.private !== true)
      .map(({ manifest }) => manifest.name)
    const lacks = (text: string, before: string) => names.filter((name) => !text.includes(`${before}\`${name}\``))
    assert.deepStrictEqual(lacks(page("README.md"), "| ["), [])
    assert.deepStrictEqual(lacks(page("docs/installing.md"), ""), [])
  })
})
