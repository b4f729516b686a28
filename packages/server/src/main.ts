#!/usr/bin/env node
// Default imports: on an older Node, a missing named one would fail before the version is checked.
import module from "node:module"
import v8 from "node:v8"
import { compileCacheFor } from "./compileCacheFor.ts"

// Check the version before importing the program: an older Node would fail with a syntax error instead of this message.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`countersign needs Node.js 22.19 or later; this is ${process.versions.node}\n`)
  process.exitCode = 1
} else if (process.argv.slice(2).join(" ") === "healthy") {
  // Health checks run every few seconds. Without the rest of the program they take 0.1 seconds of CPU time instead of 3.
  void import("./healthy.ts").then(({ healthy }) =>
    healthy(process.env).catch((error: Error) => {
      process.stderr.write(`${error.message}\n`)
      process.exitCode = 1
    })
  )
} else {
  // Node continues without a cache where it cannot write. NODE_COMPILE_CACHE names another directory.
  const cache = compileCacheFor(import.meta.url)
  if (cache !== undefined) module.enableCompileCache(cache)
  // V8 optimizes the embedded database on every core while the program starts. One thread leaves the others to the start.
  v8.setFlagsFromString("--wasm-num-compilation-tasks=1")
  void import("./program.ts")
}
