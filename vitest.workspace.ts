import { defineConfig } from "vitest/config"
import CountReporter from "./tools/count-reporter.ts"

export default defineConfig({
  test: {
    projects: ["packages/*", "examples/*/vitest.config.ts", "tools"],
    globalSetup: ["./tools/embedded-postgres.ts"],
    reporters: ["default", new CountReporter()],
    passWithNoTests: false
  }
})
