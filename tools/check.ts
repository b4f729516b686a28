import { onDemand } from "./onDemand.ts"
import type { Proof } from "./proofs.ts"
import { run, workspaceRoot } from "./workspace.ts"

interface Step {
  readonly name: string
  readonly command: readonly [program: string, ...args: Array<string>]
  /** Whether the program is one of those that are installed when they are needed. */
  readonly onDemand?: true
  /** Whether what it says is of interest when all is well, too: all of it, or its last line. */
  readonly tells?: true | "last line"
}

/** Tests that `pnpm test` leaves to a run of their own. */
const proof = (name: Proof): Step => ({
  name,
  command: ["vitest", "run", "--config", "vitest.workspace.ts", "--maxWorkers", "4", "--project", name],
  tells: "last line"
})

/** In this order: what comes later may rely on what `types` has built. */
const steps: ReadonlyArray<Step> = [
  { name: "types", command: ["tsc", "-b"] },
  { name: "lint", command: ["oxlint", "--type-aware", "--format=unix"], onDemand: true },
  { name: "lint-rules", command: ["node", "tools/check-lint-rules.ts"] },
  { name: "format", command: ["biome", "format", ".", "--reporter=summary"], onDemand: true },
  { name: "imports", command: ["node", "tools/check-imports.ts"] },
  {
    name: "effects",
    command: [
      "effect-tsgo",
      "diagnostics",
      "--project",
      "tsconfig.json",
      "--format",
      "text",
      "--severity",
      "error,warning",
      "--strict"
    ],
    onDemand: true
  },
  { name: "unused", command: ["knip"], onDemand: true },
  proof("operations"),
  { name: "dashboard", command: ["node", "packages/dashboard/build/check.ts"], tells: true },
  proof("pages"),
  proof("oracles"),
  { name: "docs", command: ["node", "tools/check-docs.ts"], tells: "last line" },
  { name: "site", command: ["node", "tools/check-site.ts"], tells: true },
  { name: "lockfiles", command: ["node", "tools/check-lockfiles.ts"] },
  { name: "clients", command: ["node", "tools/check-clients.ts"], tells: true },
  { name: "proxies", command: ["node", "tools/check-proxies.ts"], tells: true },
  {
    name: "template",
    command: ["vitest", "run", "--root", "packages/create-countersign-channel", "test/template.test.ts"]
  },
  { name: "packages", command: ["node", "tools/check-packages.ts"] },
  { name: "install", command: ["node", "tools/check-install.ts"] },
  { name: "executable", command: ["node", "tools/check-executable.ts"], tells: true }
]

const names = process.argv.slice(2)
const unknown = names.filter((name) => !steps.some((step) => step.name === name))
if (unknown.length > 0) {
  console.error(`No such check: ${unknown.join(", ")}. There are: ${steps.map(({ name }) => name).join(", ")}.`)
  process.exit(2)
}

const failed: Array<string> = []
for (const step of steps.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const start = performance.now()
  const [program, ...args] = step.command
  const { ok, output } = run(program, args, workspaceRoot, step.onDemand === true ? [onDemand("checks").bin] : [])
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${ok ? "ok    " : "FAILED"} ${step.name} (${seconds} s)`)
  if (!ok) {
    failed.push(step.name)
    console.log(`${output.trim()}\n`)
  } else if (step.tells === "last line") console.log(output.trimEnd().split("\n").at(-1))
  else if (step.tells === true) console.log(output.trimEnd())
}
console.log(failed.length === 0 ? "\nAll checks passed." : `\nFailed: ${failed.join(", ")}.`)
process.exitCode = failed.length === 0 ? 0 : 1
