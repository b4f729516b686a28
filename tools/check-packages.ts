import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { faultsOf } from "./release/faults.ts"
import { packAll } from "./release/pack.ts"
import { filesUnder, members, workspaceRoot } from "./workspace.ts"

let failed = false
const report = (folder: string, faults: ReadonlyArray<string>) => {
  failed ||= faults.length > 0
  console.log(`${folder}: ${faults.length === 0 ? "ok" : "FAILED"}`)
  for (const fault of faults) console.log(`  ${fault.replaceAll("\n", "\n  ")}`)
}

const solution = readFileSync(join(workspaceRoot, "tsconfig.json"), "utf8")
for (const { folder } of members(workspaceRoot)) {
  const typed = filesUnder(join(workspaceRoot, folder)).some((path) => /\.tsx?$/.test(path))
  if (typed && !solution.includes(`"${folder}"`)) report(folder, ["is missing in the references of tsconfig.json"])
}
const temporary = mkdtempSync(join(tmpdir(), "check-packages-"))
try {
  for (const { folder, tarball } of packAll(temporary)) report(folder, await faultsOf(tarball))
} catch (error) {
  report("packages", [error instanceof Error ? error.message : String(error)])
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0
