import type { TestProject } from "vitest/node"
import { onDemand } from "./onDemand.ts"

/** The projects with tests that `launch` a browser. */
const needBrowser = ["pages", "dashboard", "server", "tools", "example-login"]

/** What ours is compared with. */
const compared = ["authJs", "betterAuth", "twilio"] as const

/** What several tests need is installed before the run's processes begin: they would do it at once. */
export default function setup(root: TestProject) {
  const runs = (names: ReadonlyArray<string>) => root.vitest.projects.some(({ name }) => names.includes(name))
  // `launch` takes the package's browser here, and the machine's elsewhere.
  const taken = process.platform === "linux" && process.arch === "x64" && !process.env["CHROMIUM_PATH"]
  if (taken && runs(needBrowser)) onDemand("chromium")
  if (runs(["oracles"])) for (const group of compared) onDemand(group)
}
