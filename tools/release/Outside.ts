import { type ExecFileException, execFile, spawn } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { workspaceRoot } from "../workspace.ts"
import { type LocalRegistry, serveInstalled } from "./LocalRegistry.ts"
import { type Packed, packAll } from "./pack.ts"

export interface Ran {
  readonly ok: boolean
  readonly output: string
}

export const exec = (program: string, args: ReadonlyArray<string>, cwd: string, env: NodeJS.ProcessEnv): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(
      program,
      args,
      { cwd, env, maxBuffer: 64 * 1024 * 1024 },
      (error: ExecFileException | null, stdout: string, stderr: string) =>
        resolve({ ok: error === null, output: `${stdout}${stderr}` })
    )
  })

/** Dependencies of ours that come from elsewhere, with the peers that they cannot do without. */
const foreign = (packed: ReadonlyArray<Packed>) => {
  const ours = new Set(packed.map(({ manifest }) => manifest.name))
  return packed.flatMap(({ folder, manifest }) => {
    const { dependencies, peerDependencies = {}, peerDependenciesMeta = {} } = manifest
    const needed = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
    return [...Object.keys(dependencies ?? {}), ...needed]
      .filter((name) => !ours.has(name))
      .map((name) => ({ name, folder: join(workspaceRoot, folder, "node_modules") }))
  })
}

/** A folder outside this repository, where the packed packages are installed by npm as a user would do it. */
export class Outside {
  readonly folder: string
  readonly #temporary: string
  readonly #registry: LocalRegistry
  readonly packed: ReadonlyArray<Packed>

  private constructor(temporary: string, registry: LocalRegistry, packed: ReadonlyArray<Packed>) {
    this.#temporary = temporary
    this.folder = join(temporary, "app")
    this.#registry = registry
    this.packed = packed
  }

  /** Packs everything, and makes an empty folder with a registry for what is not ours. */
  static async make(): Promise<Outside> {
    const temporary = realpathSync(mkdtempSync(join(tmpdir(), "countersign-outside-")))
    const packed = packAll(join(temporary, "release"))
    const needed = foreign(packed)
    const registry = await serveInstalled(
      [...new Set(["@types/node", ...needed.map(({ name }) => name)])],
      [...new Set([join(workspaceRoot, "node_modules"), ...needed.map(({ folder }) => folder)])]
    )
    mkdirSync(join(temporary, "app"))
    writeFileSync(join(temporary, "app", "package.json"), '{ "private": true, "type": "module" }\n')
    return new Outside(temporary, registry, packed)
  }

  /** A folder beside this one's. */
  beside(name: string): string {
    return join(this.#temporary, name)
  }

  get registry(): string {
    return this.#registry.url
  }

  /** `npm install`, of our tarballs and of others by name. */
  install(...more: ReadonlyArray<string>): Promise<Ran> {
    const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel", "error"]
    const from = ["--registry", this.#registry.url, "--cache", join(this.#temporary, "cache")]
    return this.run("npm", "install", ...flags, ...from, ...this.packed.map(({ tarball }) => tarball), ...more)
  }

  run(program: string, ...args: ReadonlyArray<string>): Promise<Ran> {
    return exec(program, args, this.folder, process.env)
  }

  /** A file of this repository, copied into the folder. */
  bring(from: string, to: string): void {
    cpSync(join(workspaceRoot, from), join(this.folder, to))
  }

  /** Gives one installed package a second copy of another, as a careless installation would. */
  duplicate(name: string, below: string): void {
    const modules = join(this.folder, "node_modules")
    cpSync(join(modules, name), join(modules, below, "node_modules", name), { recursive: true })
  }

  /** Takes an installed package away, as if nobody had asked for it. */
  remove(name: string): void {
    rmSync(join(this.folder, "node_modules", name), { recursive: true })
  }

  /** Starts an installed program, waits for the line that `ready` finds something in, and hands that to `use`. */
  async whileRunning<A>(
    args: ReadonlyArray<string>,
    env: Readonly<Record<string, string>>,
    ready: (printed: string) => RegExpExecArray | null,
    use: (found: RegExpExecArray, printed: string) => Promise<A>
  ): Promise<A> {
    const child = spawn(process.execPath, args, { cwd: this.folder, env: { ...process.env, ...env } })
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
    let printed = ""
    child.stderr.on("data", (chunk) => (printed += String(chunk)))
    try {
      for await (const line of createInterface({ input: child.stdout })) {
        printed += `${line}\n`
        const found = ready(printed)
        if (found !== null) return await use(found, printed)
      }
      throw new Error(`it ended before it was ready:\n${printed}`)
    } finally {
      child.kill("SIGTERM")
      await ended
    }
  }

  manifest(name: string): { readonly bin?: Readonly<Record<string, string>> } {
    return JSON.parse(readFileSync(join(this.folder, "node_modules", name, "package.json"), "utf8"))
  }

  async close(): Promise<void> {
    await this.#registry.close()
    rmSync(this.#temporary, { recursive: true, force: true })
  }
}
