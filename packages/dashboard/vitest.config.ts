import { defineProject } from "vitest/config"

export default defineProject({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  test: {
    name: "dashboard",
    include: ["test/**/*.test.ts"],
    globalSetup: ["../server/test/fixture/bundle.ts"],
    setupFiles: ["../../tools/Assertions.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    isolate: false
  }
})
