import { defineProject } from "vitest/config"

export default defineProject({
  test: { name: "countersign", include: ["test/**/*.test.ts"] }
})
