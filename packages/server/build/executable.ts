import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { onDemand } from "../../../tools/onDemand.ts"
import manifest from "../package.json" with { type: "json" }
import { carry } from "./carry.ts"
import { compileAhead } from "./compileAhead.ts"
import { buildScript } from "./program.ts"

/** Puts a resource into an executable file, where the program that it is finds it. */
interface Postject {
  readonly inject: (
    executable: string,
    resourceName: string,
    resource: Uint8Array,
    options: { readonly sentinelFuse: string }
  ) => Promise<void>
}

const run = promisify(execFile)

/** Where Node looks for what an executable is made of, once this mark in it is set. */
const place = "NODE_SEA_BLOB"
const sentinelFuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2"

const load = fileURLToPath(new URL("executable/load.cjs", import.meta.url))
const into = fileURLToPath(new URL("../../../dist", import.meta.url))

/** The Node that runs this, without the 18 MB of symbols that only a debugger reads. */
const nodeInto = async (path: string): Promise<void> => {
  await run("strip", ["-o", path, process.execPath]).catch(async () => {
    console.log("There is no strip (binutils) here: the executable is 18 MB bigger than it needs to be.")
    await copyFile(process.execPath, path)
  })
  await chmod(path, 0o755)
}

/** Everything in a folder, by the names by which the program asks for it. */
const assetsIn = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), path])
  )
}

const build = async (work: string): Promise<string> => {
  const [assets, configuration, blob] = [join(work, "assets"), join(work, "sea.json"), join(work, "blob")]
  await buildScript(work)
  await carry(assets)
  await compileAhead(work)
  for (const name of ["program.js", "program.cache"]) await cp(join(work, name), join(assets, name))
  await writeFile(
    configuration,
    JSON.stringify({
      main: load,
      output: blob,
      disableExperimentalSEAWarning: true,
      // How a channel is loaded from a disk; nobody who runs this can do anything about its being experimental.
      execArgv: ["--disable-warning=ExperimentalWarning"],
      // NODE_OPTIONS is meant for somebody's own programs, and could make this one run other code.
      execArgvExtension: "none",
      assets: await assetsIn(assets)
    })
  )
  await run(process.execPath, ["--experimental-sea-config", configuration])
  const executable = join(work, "countersign")
  await nodeInto(executable)
  const { inject } = await onDemand("executable").load<Postject>("postject")
  await inject(executable, place, await readFile(blob), { sentinelFuse })
  return executable
}

/** A file under its name in a release, with its checksum beside it. */
const release = async (executable: string): Promise<void> => {
  const name = `countersign-${manifest.version}-${process.platform}-${process.arch}`
  await copyFile(executable, join(into, name))
  const sum = createHash("sha256")
    .update(await readFile(executable))
    .digest("hex")
  await writeFile(join(into, "SHA256SUMS"), `${sum}  ${name}\n`)
  console.log(`dist/${name}, dist/SHA256SUMS`)
}

/**
 * `pnpm build:executable`: `dist/countersign`, for the system and the processor that this runs on. With `--release` also
 * under its name in a release, with a checksum.
 */
if (process.platform !== "linux") throw new Error("The executable is built on Linux, for Linux")
const work = await mkdtemp(join(tmpdir(), "countersign-executable-"))
// LIEF, inside postject, complains of section names that nobody reads.
const warn = console.warn
console.warn = () => {}
try {
  const built = await build(work)
  await mkdir(into, { recursive: true })
  const executable = join(into, "countersign")
  // A server that runs keeps the file that it was started from.
  await copyFile(built, `${executable}.new`)
  await rename(`${executable}.new`, executable)
  const { size } = await stat(executable)
  console.log(`dist/countersign, ${Math.round(size / 1e6)} MB, with Node.js ${process.versions.node}`)
  if (process.argv.includes("--release")) await release(executable)
} finally {
  console.warn = warn
  await rm(work, { recursive: true, force: true })
}
