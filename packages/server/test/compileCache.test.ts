import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterEach, assert, beforeEach, inject, it } from "vitest"
import { compileCacheFor } from "../src/compileCacheFor.ts"

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "countersign-cache-"))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

it("the compile cache of a clone and of an installed package is in node_modules; bundle and executable have none", () => {
  const cases = [
    [
      "file:///home/acme/countersign/packages/server/src/main.ts",
      "/home/acme/countersign/packages/server/node_modules"
    ],
    ["file:///app/node_modules/@countersign/server/dist/main.js", "/app/node_modules"],
    [
      "file:///app/node_modules/.pnpm/@countersign+server@1.0.0/node_modules/@countersign/server/dist/main.js",
      "/app/node_modules/.pnpm/@countersign+server@1.0.0/node_modules"
    ]
  ] as const
  for (const [url, place] of cases) assert.strictEqual(compileCacheFor(url), `${place}/.cache/countersign`)
  for (const url of ["file:///opt/countersign/bundle/main.js", "file:///usr/local/bin/countersign/program.js"])
    assert.isUndefined(compileCacheFor(url))
})

/** The program as npm installs it. */
const installed = () => {
  const folder = join(directory, "node_modules", "@countersign", "server", "dist")
  const program = dirname(inject("bundle").main)
  for (const name of readdirSync(program).filter((each) => each.endsWith(".js")))
    cpSync(join(program, name), join(folder, name))
  writeFileSync(join(folder, "..", "package.json"), '{ "type": "module" }')
  return join(folder, "main.js")
}

const version = (main: string) =>
  promisify(execFile)(process.execPath, [main, "--version"], { cwd: directory, env: { HOME: directory } })

const caches = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length

it("processes that start concurrently share the compile cache, and write nothing else", async () => {
  const main = installed()
  const ended = await Promise.all([1, 2, 3].map(() => version(main)))
  for (const { stderr, stdout } of [...ended, await version(main)]) {
    assert.match(stdout, /^countersign v/)
    assert.strictEqual(stderr, "")
  }
  assert.isAbove(caches(join(directory, "node_modules", ".cache", "countersign")), 0)
  assert.deepStrictEqual(readdirSync(directory), ["node_modules"])
  assert.sameMembers(readdirSync(join(directory, "node_modules")), [".cache", "@countersign"])
})

it("a program whose compile cache cannot be written or is damaged starts without a message", async () => {
  const main = installed()
  const cache = join(directory, "node_modules", ".cache")
  writeFileSync(cache, "")
  assert.strictEqual((await version(main)).stderr, "")
  rmSync(cache)
  mkdirSync(cache)
  await version(main)
  for (const entry of readdirSync(cache, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) writeFileSync(join(entry.parentPath, entry.name), "damaged")
  const { stderr, stdout } = await version(main)
  assert.match(stdout, /^countersign v/)
  assert.strictEqual(stderr, "")
})
