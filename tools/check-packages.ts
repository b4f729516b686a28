import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onDemand } from "./onDemand.ts"
import { compile, filesUnder, type Manifest, members, readManifest, run, workspaceRoot } from "./workspace.ts"

interface Publint {
  readonly publint: (options: object) => Promise<{
    readonly messages: ReadonlyArray<{ readonly code: string }>
    readonly pkg: object
  }>
}

interface PublintUtils {
  readonly formatMessage: (message: object, pkg: object, options: { readonly color: boolean }) => string | undefined
}

const { load } = onDemand("checks")
const { publint } = await load<Publint>("publint")
const { formatMessage } = await load<PublintUtils>("publint/utils")

/** Every file the manifest's `exports` and `bin` promise. */
const promised = (manifest: Manifest): ReadonlyArray<string> => {
  const paths = (value: unknown): ReadonlyArray<string> =>
    typeof value === "string"
      ? [value]
      : typeof value === "object" && value !== null
        ? Object.values(value).flatMap(paths)
        : []
  return [...paths(manifest.exports), ...paths(manifest.bin)].filter((path) => !path.includes("*"))
}

/** Packs a package as it would be published, and looks at the tarball. */
const faultsOf = async (folder: string): Promise<ReadonlyArray<string>> => {
  const temporary = mkdtempSync(join(tmpdir(), "check-packages-"))
  try {
    const pack = run("pnpm", ["pack", "--pack-destination", temporary], folder)
    const name = readdirSync(temporary).find((each) => each.endsWith(".tgz"))
    if (!pack.ok || name === undefined) return [`could not be packed\n${pack.output}`]
    const tarball = join(temporary, name)
    const unpack = run("tar", ["-xzf", name], temporary)
    if (!unpack.ok) return [`could not be unpacked\n${unpack.output}`]
    const packed = join(temporary, "package")
    const manifest = readManifest(packed)
    const faults: Array<string> = []
    const unresolved = /"(?:workspace|catalog):[^"]*"/.exec(readFileSync(join(packed, "package.json"), "utf8"))
    if (unresolved !== null) faults.push(`${unresolved[0]} is left in the packed package.json`)
    for (const path of promised(manifest)) {
      if (!existsSync(join(packed, path))) faults.push(`${path} is promised but not in the tarball`)
      if (path.endsWith(".ts") && !path.endsWith(".d.ts")) faults.push(`${path} is exported as source`)
    }
    if (!promised(manifest).some((path) => path.startsWith("./dist/") && path.endsWith(".js")))
      faults.push("no JavaScript of dist is exported")
    for (const file of ["LICENSE", "README.md"])
      if (!existsSync(join(packed, file))) faults.push(`${file} is not in the tarball`)
    const page = join(packed, "dist/assets/page")
    if (manifest.name === "@countersign/server") {
      if (!existsSync(join(page, "index.html"))) faults.push("the dashboard's page is not in the tarball")
      for (const path of filesUnder(page)) if (path.endsWith(".map")) faults.push(`${path} is a source map of the page`)
    }
    if (existsSync(join(packed, "dist/.tsbuildinfo"))) faults.push("dist/.tsbuildinfo is in the tarball")
    const bytes = new Uint8Array(readFileSync(tarball)).buffer
    const { messages, pkg } = await publint({ pack: { tarball: bytes }, level: "suggestion", strict: true })
    for (const message of messages) faults.push(formatMessage(message, pkg, { color: false }) ?? message.code)
    return faults
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

let failed = false
const report = (folder: string, faults: ReadonlyArray<string>) => {
  failed ||= faults.length > 0
  console.log(`${folder}: ${faults.length === 0 ? "ok" : "FAILED"}`)
  for (const fault of faults) console.log(`  ${fault.replaceAll("\n", "\n  ")}`)
}

const all = members(workspaceRoot)
const published = all.filter(({ manifest }) => manifest.private !== true)
const solution = readFileSync(join(workspaceRoot, "tsconfig.json"), "utf8")
for (const { folder } of all) {
  const typed = filesUnder(join(workspaceRoot, folder)).some((path) => /\.tsx?$/.test(path))
  if (typed && !solution.includes(`"${folder}"`)) report(folder, ["is missing in the references of tsconfig.json"])
}
const built = compile(published.map(({ folder }) => join(folder, "tsconfig.src.json")))
if (built.ok) for (const { folder } of published) report(folder, await faultsOf(join(workspaceRoot, folder)))
else report("packages", [`do not compile, so none is packed\n${built.output.split("\n")[0] ?? ""}`])
process.exitCode = failed ? 1 : 0
