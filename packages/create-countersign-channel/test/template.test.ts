import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, it, onTestFinished } from "vitest"
import { create } from "../src/create.ts"

const run = promisify(execFile)
const here = join(import.meta.dirname, "..")

/** `pnpm check template`: it compiles a package and runs its tests, which takes longer than the suite has. */
it.each([
  ["acme-sms", "SMS"],
  ["acme-viber", "VIBER"]
])("a new package %s has right types and green tests, with what is left to do as todo", async (name, channel) => {
  const directory = mkdtempSync(join(tmpdir(), "create-channel-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  create({ name, channel, directory, versionOf: () => "*" })
  const folder = join(directory, name)
  // What npm would install is what this workspace has; its sources want the flag that they are written with.
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
