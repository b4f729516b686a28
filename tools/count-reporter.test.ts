import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { run, workspaceRoot } from "./workspace.ts"

interface Options {
  readonly args?: ReadonlyArray<string>
  /** Without it Vitest uses a default address. */
  readonly postgres?: boolean
  /** The content of a second file. */
  readonly beside?: string
}

/** Runs Vitest with the workspace's reporter and its Postgres on one or two test files. */
const runTests = (source: string, { args = [], beside, postgres = false }: Options = {}) => {
  mkdirSync(join(workspaceRoot, ".tsbuild"), { recursive: true })
  const folder = mkdtempSync(join(workspaceRoot, ".tsbuild", "count-reporter-"))
  try {
    writeFileSync(join(folder, "one.test.ts"), `import { expect, inject, it } from "vitest"\n${source}`)
    if (beside !== undefined) writeFileSync(join(folder, "two.test.ts"), beside)
    writeFileSync(
      join(folder, "vitest.config.ts"),
      `import { defineConfig } from "vitest/config"
       import CountReporter from "../../tools/count-reporter.ts"
       ${postgres ? "" : 'process.env.TEST_DATABASE_URL = "postgres://127.0.0.1:1/none"'}
       export default defineConfig({
         test: { name: "postgres", globalSetup: ["../../tools/embedded-postgres.ts"], reporters: [new CountReporter()] }
       })`
    )
    const { ok, output } = run(
      process.execPath,
      [join(workspaceRoot, "node_modules/vitest/vitest.mjs"), "run", ...args],
      folder
    )
    return { ok, output, count: output.trim().split("\n").at(-1) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe("a test run", { timeout: 60_000 }, () => {
  it("passes, and prints the counts on its last line", () => {
    const { count, ok, output } = runTests(
      `it("a", () => expect(inject("databaseUrl")).toMatch(/^postgres:/)); it.skip("b")`,
      { postgres: true }
    )
    assert.deepEqual({ count, ok }, { count: "1 passed, 0 failed, 1 skipped", ok: true }, output)
  })

  it("fails when a test fails, and counts a file that cannot be loaded as one more failure", () => {
    const { count, ok, output } = runTests(`it("a", () => {}); it("b", () => expect(1).toBe(2))`, {
      postgres: true,
      beside: `throw new Error("broken")`
    })
    assert.deepEqual({ count, ok }, { count: "1 passed, 2 failed", ok: false }, output)
  })

  it("fails when the selection matches nothing", () => {
    const { ok, output } = runTests(`it("a", () => {})`, { args: ["-t", "nothing has this name"] })
    assert.isFalse(ok, output)
    assert.include(output, "0 passed, 0 failed, 1 skipped")
  })
})
