import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { run, workspaceRoot } from "./workspace.ts"

/**
 * What installs trust, so that a first start does not wait for it: every lockfile is the one of its manifests, names no
 * host, and has no version that is younger than a day. That is what pnpm asks of versions it chooses itself; of those
 * that somebody else has chosen, it asks here.
 */
const asked = ["install", "--lockfile-only", "--frozen-lockfile", "--no-trust-lockfile"]
const listed = run("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*pnpm-lock.yaml"], workspaceRoot)
let failed = false
for (const path of listed.output.trim().split("\n")) {
  const named = /https?:\/\/\S+/.exec(readFileSync(join(workspaceRoot, path), "utf8"))
  const { ok, output } = run("pnpm", asked, join(workspaceRoot, dirname(path)))
  if (!ok) console.log(`${path}\n${output.trim()}`)
  if (named !== null) console.log(`${path} names a host, ${named[0]}: a registry is each machine's own`)
  failed ||= !ok || named !== null
}
process.exitCode = failed ? 1 : 0
