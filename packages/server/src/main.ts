#!/usr/bin/env node
// Check the version before importing anything: an older Node would fail with a syntax error instead of this message.
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
  void import("./program.ts")
}
