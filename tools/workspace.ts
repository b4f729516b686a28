import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"

export const workspaceRoot = dirname(import.meta.dirname)

/** Folders no tool looks into. */
export const generated = new Set(["node_modules", "dist", "bundle", "coverage", ".tsbuild", ".git", ".countersign"])

export interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly license?: string
  readonly description?: string
  readonly engines?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly exports?: unknown
  readonly bin?: string | Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export interface Member {
  /** Relative to the root: `packages/core`. */
  readonly folder: string
  readonly manifest: Manifest
}

export const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest

/** Every file under a folder, as paths that begin with that folder. */
export const filesUnder = (folder: string): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => !generated.has(entry.name))
        .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(folder, entry.name)) : [join(folder, entry.name)]))
    : []

/** Every file under a folder, also of what is generated. */
export const everyFileUnder = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** The workspace's folders with a package.json, without the root. */
export const members = (root: string): ReadonlyArray<Member> => {
  const below = (parent: string) =>
    existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => `${parent}/${name}`) : []
  return [...below("packages"), ...below("examples"), "bench"]
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .sort()
    .map((folder) => ({ folder, manifest: readManifest(join(root, folder)) }))
}

const own = join(workspaceRoot, "node_modules", ".bin")

/**
 * Runs a program to its end: one in the folders of `before`, or the workspace's own, or the machine's. What it printed,
 * and whether it succeeded.
 */
export const run = (
  program: string,
  args: ReadonlyArray<string>,
  folder: string,
  before: ReadonlyArray<string> = []
) => {
  const path = [...before, own, process.env["PATH"] ?? ""].join(delimiter)
  try {
    const output = execFileSync(program, args, {
      cwd: folder,
      stdio: "pipe",
      encoding: "utf8",
      env: { ...process.env, PATH: path },
      maxBuffer: 64 * 1024 * 1024,
      shell: process.platform === "win32"
    })
    return { ok: true, output }
  } catch (error) {
    const { message, stderr, stdout } = error as Error & { readonly stdout?: string; readonly stderr?: string }
    const output = `${stdout ?? ""}${stderr ?? ""}`.trim()
    return { ok: false, output: output === "" ? message : output }
  }
}

/** Runs `tsc -b` on projects, as every other tool should see the compiler: the workspace's own. */
export const compile = (projects: ReadonlyArray<string>) =>
  run(
    process.execPath,
    [join(workspaceRoot, "node_modules", "typescript", "bin", "tsc"), "-b", "--pretty", "false", ...projects],
    workspaceRoot
  )
