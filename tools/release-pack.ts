import { rmSync } from "node:fs"
import { basename, join } from "node:path"
import { faultsOf } from "./release/faults.ts"
import { packAll } from "./release/pack.ts"
import { workspaceRoot } from "./workspace.ts"

const into = join(workspaceRoot, "release")
rmSync(into, { recursive: true, force: true })
let failed = false
for (const { manifest, tarball } of packAll(into)) {
  const faults = await faultsOf(tarball)
  failed ||= faults.length > 0
  console.log(`${manifest.name.padEnd(26)} release/${basename(tarball)}`)
  for (const fault of faults) console.log(`  ${fault.replaceAll("\n", "\n  ")}`)
}
if (failed) console.log("\nThese are no packages to publish: each line under a name says what is wrong with it.")
else console.log("\nInstall all you need in one command, so that they find each other: see docs/installing.md.")
process.exitCode = failed ? 1 : 0
