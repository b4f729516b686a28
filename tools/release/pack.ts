import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { compile, everyFileUnder, type Manifest, members, run, workspaceRoot } from "../workspace.ts"
import { repository } from "./repository.ts"

/** One package as it would be published. */
export interface Packed {
  /** Relative to the root: `packages/core`. */
  readonly folder: string
  readonly manifest: Manifest
  readonly tarball: string
}

/** The packages that are published. */
export const published = () => members(workspaceRoot).filter(({ manifest }) => manifest.private !== true)

/**
 * The manifest as those need it who install the package: nothing runs on their machine, and nothing is for us alone.
 * Where it is known where the repository is, it says so, and asks for a proof that it was built from there.
 */
const forPublishing = (manifest: object, folder: string): object => {
  const { devDependencies: _, publishConfig, scripts: __, ...rest } = manifest as Readonly<Record<string, object>>
  const at = repository()
  return {
    ...rest,
    ...(at === null ? {} : { repository: { type: "git", url: `git+${at}.git`, directory: folder } }),
    publishConfig: { ...publishConfig, ...(at === null ? {} : { provenance: true }) }
  }
}

const ran = ({ ok, output }: { readonly ok: boolean; readonly output: string }, what: string) => {
  if (!ok) throw new Error(`${what}\n${output}`)
}

const packOne = (folder: string, manifest: Manifest, into: string): Packed => {
  const own = mkdtempSync(join(tmpdir(), "countersign-pack-"))
  try {
    const failure = `${folder} could not be packed`
    ran(run("pnpm", ["pack", "--pack-destination", own], join(workspaceRoot, folder)), failure)
    const name = readdirSync(own).find((each) => each.endsWith(".tgz"))
    if (name === undefined) throw new Error(failure)
    ran(run("tar", ["-xzf", name], own), failure)
    const path = join(own, "package", "package.json")
    const written = forPublishing(JSON.parse(readFileSync(path, "utf8")), folder)
    writeFileSync(path, `${JSON.stringify(written, null, 2)}\n`)
    const tarball = join(into, name)
    ran(run("tar", ["-czf", tarball, "package"], own), failure)
    return { folder, manifest, tarball }
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

/** A compiler leaves what it made of a source that was renamed or removed since. */
const removeStale = (folder: string) => {
  const [dist, src] = [join(workspaceRoot, folder, "dist"), join(workspaceRoot, folder, "src")]
  for (const file of existsSync(dist) ? everyFileUnder(dist) : []) {
    const [, name] = /^(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(file) ?? []
    if (name === undefined) continue
    const source = join(src, relative(dist, name))
    if (!existsSync(`${source}.ts`) && !existsSync(`${source}.tsx`)) rmSync(file)
  }
}

/** Compiles and packs every published package into a folder: what a registry would be given. */
export const packAll = (into: string): ReadonlyArray<Packed> => {
  const packages = published()
  for (const { folder } of packages) removeStale(folder)
  const built = compile(packages.map(({ folder }) => join(folder, "tsconfig.src.json")))
  if (!built.ok) throw new Error(`The packages do not compile, so none is packed.\n${built.output}`)
  mkdirSync(into, { recursive: true })
  return packages.map(({ folder, manifest }) => packOne(folder, manifest, into))
}
