import type { TestProject } from "vitest/node"
import { onDemand } from "./onDemand.ts"

/** The projects with tests that `launch` a browser. */
const needBrowser = ["pages", "dashboard", "server", "tools", "example-login"]

/** Where `launch` takes the package's, it is installed before the run's processes begin: they would do it at once. */
export default function setup(root: TestProject) {
  const taken = process.platform === "linux" && process.arch === "x64" && !process.env["CHROMIUM_PATH"]
  if (taken && root.vitest.projects.some(({ name }) => needBrowser.includes(name))) onDemand("chromium")
}
