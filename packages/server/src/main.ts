#!/usr/bin/env node
// Nothing else is imported before the version is known: what an older Node cannot read would end it in its own words.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`countersign needs Node.js 22.19 or later; this is ${process.versions.node}\n`)
  process.exitCode = 1
} else if (process.argv.slice(2).join(" ") === "healthy") {
  // Asked every few seconds: without the rest of the program it needs a tenth of a second of a processor, and not three.
  void import("./healthy.ts").then(({ healthy }) =>
    healthy(process.env).catch((error: Error) => {
      process.stderr.write(`${error.message}\n`)
      process.exitCode = 1
    })
  )
} else {
  void import("./program.ts")
}
