import { spawn } from "node:child_process"
import { join } from "node:path"
import { onDemand } from "../onDemand.ts"
import { workspaceRoot } from "../workspace.ts"

/** Has a manifest and a lockfile of its own: what draws the pages is no part of the repository's first install. */
export const folder = join(workspaceRoot, "site")

/** Installs what draws the pages, unless that was done. */
export const install = () => void onDemand("site")

/** Runs VitePress to its end, with the Node that runs this. */
export const vitepress = (
  args: ReadonlyArray<string>,
  options: { readonly env?: NodeJS.ProcessEnv; readonly quiet?: boolean } = {}
): Promise<{ readonly code: number; readonly output: string }> =>
  new Promise((resolve, reject) => {
    const program = join(folder, "node_modules", "vitepress", "bin", "vitepress.js")
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: { ...process.env, ...options.env },
      stdio: options.quiet === true ? "pipe" : "inherit"
    })
    let output = ""
    child.stdout?.on("data", (text: Buffer) => (output += text.toString()))
    child.stderr?.on("data", (text: Buffer) => (output += text.toString()))
    child.once("error", reject)
    child.once("close", (code) => resolve({ code: code ?? 1, output }))
  })
