import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, it, onTestFinished } from "vitest"
import { create } from "../src/create.ts"

const run = promisify(execFile)
const here = join(import.meta.dirname, "..")

/**
 * Run by `pnpm check template`, because compiling a package and running its tests takes longer than the suite allows.
 */
it.each([
  ["acme-sms", "SMS"],
  ["acme-viber", "VIBER"]
])("a new package %s has valid types and passing tests, with the remaining work as todo", async (name, channel) => {
  const directory = mkdtempSync(join(tmpdir(), "create-channel-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  create({ name, channel, directory, versionOf: () => "*" })
  const folder = join(directory, name)
  // Links this workspace's packages instead of running npm install; their sources need exactOptionalPropertyTypes.
  symlinkSync(join(here, "node_modules"), join(folder, "node_modules"))
  const bin = join(here, "node_modules", ".bin")
  const flags = ["--noEmit", "--exactOptionalPropertyTypes"]
  const [types, tests] = await Promise.allSettled([
    run(join(bin, "tsc"), flags, { cwd: folder }),
    run(join(bin, "vitest"), ["run", "--no-color"], { cwd: folder, env: { ...process.env, VITEST: undefined } })
  ])
  assert.strictEqual(types.status, "fulfilled", types.status === "rejected" ? JSON.stringify(types.reason) : "")
  const told = tests.status === "fulfilled" ? tests.value.stdout : JSON.stringify(tests.reason)
  assert.match(told, /Tests .*\b\d{2} passed.* 5 todo/)
  assert.notInclude(told, "failed")
})
