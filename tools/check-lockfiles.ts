import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { run, workspaceRoot } from "./workspace.ts"

/**
 * What installs trust, so that a first start does not wait for it: every lockfile is the one of its manifests, names no
 * host, and has no version that is younger than a day. That is what pnpm asks of versions it chooses itself; of those
 * that somebody else has chosen, it asks here. npm is not asked for ages here: its folders have `min-release-age`.
 */
const managers = [
  {
    lockfile: "pnpm-lock.yaml",
    command: ["pnpm", "install", "--lockfile-only", "--frozen-lockfile", "--no-trust-lockfile"],
    host: /https?:\/\/\S+/
  },
  {
    lockfile: "package-lock.json",
    command: ["npm", "ci", "--dry-run", "--offline", "--ignore-scripts"],
    host: /"resolved": *"(\S+)"/ // an author's address may be there
  }
] as const
let failed = false
for (const { command, host, lockfile } of managers) {
  const [program, ...args] = command
  const listing = ["ls-files", "--cached", "--others", "--exclude-standard", `*${lockfile}`]
  for (const path of run("git", listing, workspaceRoot).output.trim().split("\n")) {
    const named = host.exec(readFileSync(join(workspaceRoot, path), "utf8"))
    const { ok, output } = run(program, args, join(workspaceRoot, dirname(path)))
    if (!ok) console.log(`${path}\n${output.trim()}`)
    if (named !== null) console.log(`${path} names a host, ${named[0]}: a registry is each machine's own`)
    failed ||= !ok || named !== null
  }
}
process.exitCode = failed ? 1 : 0
