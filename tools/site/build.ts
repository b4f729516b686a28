import { execFileSync, spawn } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { workspaceRoot } from "../workspace.ts"

/** Has a manifest and a lockfile of its own: what draws the pages is no part of the repository's first install. */
export const folder = join(workspaceRoot, "site")

/** The pnpm that this was started by, and else the one that npm gets. */
const pnpm = (): readonly [program: string, ...args: Array<string>] => {
  const own = process.env["npm_execpath"] ?? ""
  return /[\\/]pnpm(\.exe)?$/.test(own) ? [own] : ["npx", "-y", "pnpm@12"]
}

/** Installs what draws the pages, unless that was done for this lockfile. */
export const install = () => {
  const stamp = join(folder, "node_modules", ".installed")
  const wanted = `${process.platform}-${process.arch}\n${readFileSync(join(folder, "pnpm-lock.yaml"), "utf8")}`
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return
  process.stderr.write("Installing what draws the pages, once …\n")
  const [program, ...args] = pnpm()
  execFileSync(program, [...args, "install", "--frozen-lockfile", "--prefer-offline"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32"
  })
  writeFileSync(stamp, wanted)
}

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
