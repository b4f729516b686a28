import { defineConfig } from "vitest/config"
import CountReporter from "./tools/count-reporter.ts"
import { Interleaved } from "./tools/Interleaved.ts"

export default defineConfig({
  test: {
    projects: ["packages/*", "examples/*/vitest.config.ts", "tools"],
    globalSetup: ["./tools/embedded-postgres.ts"],
    sequence: { sequencer: Interleaved },
    reporters: ["default", new CountReporter()],
    passWithNoTests: false
  }
})
