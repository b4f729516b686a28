import { defineProject } from "vitest/config"

export default defineProject({
  test: {
    name: "core",
    include: ["test/**/*.test.ts"],
    // No test leaves anything behind in its process, and loading the modules once saves a third of the time.
    isolate: false,
    // Some tests count to a million, and machines that build are busy.
    testTimeout: 30_000
  }
})
