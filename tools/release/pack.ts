import { mkdirSync, readdirSync, renameSync } from "node:fs"
import { join } from "node:path"
import { compile, type Manifest, members, run, workspaceRoot } from "../workspace.ts"

/** One package as it would be published. */
export interface Packed {
  /** Relative to the root: `packages/core`. */
  readonly folder: string
  readonly manifest: Manifest
  readonly tarball: string
}

/** The packages that are published. */
export const published = () => members(workspaceRoot).filter(({ manifest }) => manifest.private !== true)

const packOne = (folder: string, manifest: Manifest, into: string): Packed => {
  const own = join(into, folder.replaceAll("/", "-"))
  mkdirSync(own, { recursive: true })
  const { ok, output } = run("pnpm", ["pack", "--pack-destination", own], join(workspaceRoot, folder))
  const name = readdirSync(own).find((each) => each.endsWith(".tgz"))
  if (!ok || name === undefined) throw new Error(`${folder} could not be packed\n${output}`)
  const tarball = join(into, name)
  renameSync(join(own, name), tarball)
  return { folder, manifest, tarball }
}

/** Compiles and packs every published package into a folder: what a registry would be given. */
export const packAll = (into: string): ReadonlyArray<Packed> => {
  const packages = published()
  const built = compile(packages.map(({ folder }) => join(folder, "tsconfig.src.json")))
  if (!built.ok) throw new Error(`The packages do not compile, so none is packed.\n${built.output}`)
  mkdirSync(into, { recursive: true })
  return packages.map(({ folder, manifest }) => packOne(folder, manifest, into))
}
