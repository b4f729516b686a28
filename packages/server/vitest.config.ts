import { defineProject } from "vitest/config"

export default defineProject({
  test: {
    name: "server",
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/fixture/bundle.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // No test leaves anything behind in its process, and loading the modules once saves much of the time.
    isolate: false,
    execArgv: ["--liftoff-only"] // no test runs an embedded database for long enough to optimize it
  }
})
