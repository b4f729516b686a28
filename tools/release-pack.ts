import { readdirSync, rmdirSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { packAll } from "./release/pack.ts"
import { workspaceRoot } from "./workspace.ts"

const into = join(workspaceRoot, "release")
rmSync(into, { recursive: true, force: true })
const packed = packAll(into)
for (const entry of readdirSync(into, { withFileTypes: true }))
  if (entry.isDirectory()) rmdirSync(join(into, entry.name))
for (const { manifest, tarball } of packed) console.log(`${manifest.name.padEnd(24)} release/${basename(tarball)}`)
console.log("\nInstall all you need in one command, so that they find each other: see docs/installing.md.")
