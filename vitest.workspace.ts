import { defineConfig } from "vitest/config"
import CountReporter from "./tools/count-reporter.ts"
import { Interleaved } from "./tools/Interleaved.ts"

/** Whether packages or files were chosen: `--project core`, `packages/core/test/secret`. */
const [, , , ...args] = process.argv
const isChosen = args.some(
  (arg, i) => arg.startsWith("--project") || (!arg.startsWith("-") && args[i - 1]?.startsWith("-") === false)
)

/** Every package with a configuration of its own. */
const packages = ["packages/*", "examples/*/vitest.config.ts", "tools"]

/**
 * A worker keeps its modules for the next file of the same project, and ends at a file of another. So a run of
 * everything is one project: four workers load what all packages share, and not one or more for each package. Only the
 * SDK stays by itself, because its tests replace one of its modules before anybody has loaded it.
 */
const everything = [
  {
    test: {
      name: "everything",
      include: ["packages/*/test/**/*.test.ts", "examples/*/test/**/*.test.ts", "tools/**/*.test.ts"],
      exclude: [
        "**/node_modules/**",
        "packages/sdk/**",
        "packages/create-countersign-channel/test/template.test.ts" // `pnpm check template`
      ],
      globalSetup: ["packages/server/test/fixture/bundle.ts"],
      setupFiles: ["./tools/Assertions.ts"],
      testTimeout: 180_000,
      hookTimeout: 180_000,
      isolate: false,
      execArgv: ["--liftoff-only"] // no test runs an embedded database for long enough to optimize it
    }
  },
  "packages/sdk"
]

export default defineConfig({
  test: {
    projects: isChosen ? packages : everything,
    globalSetup: ["./tools/Scratch.ts", "./tools/embedded-postgres.ts", "./tools/installChromium.ts"],
    sequence: { sequencer: Interleaved },
    reporters: ["default", new CountReporter()],
    passWithNoTests: false
  }
})
