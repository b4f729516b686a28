import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

/** Where each group has its manifest and its lockfile, and what it is. */
const groups = {
  authJs: ["tools/on-demand/auth-js", "the core of Auth.js, which our recipe for it is tested with"],
  betterAuth: [
    "bench/peers/better-auth",
    "better-auth, which our plugin is tested with and `pnpm bench peers` compares with"
  ],
  checks: ["tools/on-demand/checks", "the programs of `pnpm check` and `pnpm format`"],
  chromium: ["tools/on-demand/chromium", "the browser that tests of pages drive"],
  executable: ["tools/on-demand/executable", "what makes one file of the server"],
  postgres: ["tools/on-demand/postgres", "the Postgres that tests and benchmarks start"],
  site: ["site", "what draws the pages of the docs"],
  twilio: ["tools/on-demand/twilio", "Twilio's own client, which ours is compared with"]
} as const

/** What only some commands need is no part of the first install of the repository. */
export interface OnDemand {
  /** Where its programs are. */
  readonly bin: string
  /** The file that a module's name leads to. */
  readonly resolve: (module: string) => string
  /** What a module exports. The compiler does not see it, so the caller says what it takes from it. */
  readonly load: <A>(module: string) => Promise<A>
}

/** The pnpm that this was started by, and else the one that npm gets. */
const pnpm = (): readonly [program: string, ...args: Array<string>] => {
  const own = process.env["npm_execpath"] ?? ""
  return /[\\/]pnpm(\.exe)?$/.test(own) ? [own] : ["npx", "-y", "pnpm@12"]
}

/** How a folder is installed: exactly as in its lockfile, which is pnpm's or npm's. */
const installer = (
  folder: string
): { readonly lockfile: string; readonly command: readonly [string, ...Array<string>] } =>
  existsSync(join(folder, "package-lock.json"))
    ? { lockfile: "package-lock.json", command: ["npm", "ci", "--prefer-offline", "--fetch-retries=1"] }
    : { lockfile: "pnpm-lock.yaml", command: [...pnpm(), "install", "--frozen-lockfile", "--prefer-offline"] }

const install = (folder: string, what: string, [program, ...args]: readonly [string, ...Array<string>]) => {
  process.stderr.write(`Installing ${what}, once …\n`)
  try {
    execFileSync(program, args, {
      cwd: folder,
      stdio: "pipe",
      encoding: "utf8",
      shell: process.platform === "win32"
    })
  } catch (cause) {
    const { stderr, stdout } = cause as { readonly stdout?: string; readonly stderr?: string }
    throw new Error(`Could not install ${what}, in ${folder}\n${stdout ?? ""}${stderr ?? ""}`, { cause })
  }
}

/**
 * Installs a group of packages unless that was done, and says where it is. Each group is a folder of its own, with a
 * manifest and a lockfile. Tests run in several processes, so what they need is installed by their run's set-up.
 */
export const onDemand = (group: keyof typeof groups): OnDemand => {
  const [path, what] = groups[group]
  const folder = join(import.meta.dirname, "..", path)
  const modules = join(folder, "node_modules")
  const stamp = join(modules, ".installed")
  const { command, lockfile } = installer(folder)
  const wanted = `${process.platform}-${process.arch}\n${readFileSync(join(folder, lockfile), "utf8")}`
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
    install(folder, what, command)
    writeFileSync(stamp, wanted)
  }
  const { resolve } = createRequire(join(folder, "package.json"))
  return { bin: join(modules, ".bin"), resolve, load: (module) => import(pathToFileURL(resolve(module)).href) }
}
