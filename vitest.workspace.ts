import { defineConfig, type TestProjectConfiguration } from "vitest/config"
import CountReporter from "./tools/count-reporter.ts"
import { Interleaved } from "./tools/Interleaved.ts"
import { isProof, proofs } from "./tools/proofs.ts"

/** What was chosen: the names after `--project`, and files (`packages/core/test/secret`). */
const [, , , ...args] = process.argv
const chosen = args.flatMap((arg, i) => (args[i - 1] === "--project" ? [arg] : arg.split("--project=").slice(1)))
const isChosen = chosen.length > 0 || args.some((arg, i) => !arg.startsWith("-") && !args[i - 1]?.startsWith("-"))

/** Every package with a configuration of its own. */
const packages = ["packages/*", "examples/*/vitest.config.ts", "tools"]

/**
 * A worker keeps its modules for the next file of the same project, and ends at a file of another. So a run of much is
 * one project: four workers load what all packages share, and not one or more for each package.
 */
const together = (name: string, include: ReadonlyArray<string>, exclude: ReadonlyArray<string>) => ({
  test: {
    name,
    include: [...include],
    exclude: ["**/node_modules/**", ...exclude],
    globalSetup: ["packages/server/test/fixture/bundle.ts"],
    setupFiles: ["./tools/Assertions.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    isolate: false,
    execArgv: ["--liftoff-only"], // no test runs an embedded database for long enough to optimize it
    // Node reads TypeScript itself. Rewritten imports cost a quarter of the time of whatever computes.
    experimental: { viteModuleRunner: false, nodeLoader: false }
  }
})

/** Tests of the page in several languages: its modules read the language once, when they load. */
const languages = "packages/dashboard/test/**/*.languages.test.ts"

/** Everything but the proofs. The SDK stays by itself: its tests replace a module before anybody has loaded it. */
const suite = [
  together(
    "suite",
    ["packages/*/test/**/*.test.ts", "examples/*/test/**/*.test.ts", "tools/**/*.test.ts"],
    [
      ...Object.values(proofs).flat(),
      "packages/sdk/**",
      languages,
      "packages/create-countersign-channel/test/template.test.ts" // `pnpm check template`
    ]
  ),
  {
    test: { name: "languages", include: [languages], setupFiles: ["./tools/Assertions.ts"] }
  },
  "packages/sdk"
]

const projectsOf = (): Array<TestProjectConfiguration> => {
  if (!isChosen) return suite
  const chosenProofs = chosen.filter(isProof)
  return chosenProofs.length > 0 ? chosenProofs.map((name) => together(name, proofs[name], [])) : packages
}

export default defineConfig({
  test: {
    projects: projectsOf(),
    globalSetup: ["./tools/Scratch.ts", "./tools/embedded-postgres.ts", "./tools/installOnDemand.ts"],
    sequence: { sequencer: Interleaved },
    reporters: ["default", new CountReporter()],
    passWithNoTests: false
  }
})
