import { defineProject } from "vitest/config"

export default defineProject({
  test: {
    name: "server",
    include: ["test/**/*.test.ts"],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    // After all others: these tests start processes, and want the machine for themselves.
    sequence: { groupOrder: 1 }
  }
})
