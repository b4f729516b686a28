import { defineProject } from "vitest/config"

export default defineProject({
  test: {
    name: "example-embedding",
    include: ["test/**/*.test.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    isolate: false
  }
})
