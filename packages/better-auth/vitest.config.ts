import { defineProject } from "vitest/config"

export default defineProject({
  test: {
    name: "better-auth",
    include: ["test/**/*.test.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // No test leaves anything behind in its process, and loading the modules once saves a third of the time.
    isolate: false
  }
})
