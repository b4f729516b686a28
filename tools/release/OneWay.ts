import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { workspaceRoot } from "../workspace.ts"
import { exec, type Ran } from "./Outside.ts"
import type { Packed } from "./pack.ts"
import type { Way } from "./ways.ts"

/** What an application has that is embedded: the one package, and what a package manager does not add by itself. */
const wanted = ["countersign", "effect", "@electric-sql/pglite", "@types/node"]

interface Place {
  readonly folder: string
  /** Where the instruments are installed. */
  readonly instruments: string
  readonly registry: string
  readonly packed: ReadonlyArray<Packed>
}

const node = ({ instruments }: Place, way: Way) =>
  way.node === "24"
    ? process.execPath
    : join(instruments, "node_modules", `node-${process.platform}-${process.arch}`, "bin", "node")

/** The manifest and the settings that lead a package manager to our tarballs, wherever a package of ours is named. */
const prepare = ({ folder, packed, registry }: Place, way: Way) => {
  mkdirSync(folder, { recursive: true })
  const tarballs = Object.fromEntries(packed.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]))
  const dependencies = Object.fromEntries(wanted.map((name) => [name, tarballs[name] ?? "*"]))
  const manifest = { private: true, type: way.module === "esm" ? "module" : "commonjs", dependencies }
  const extra = {
    npm: { overrides: { ...tarballs, countersign: undefined } },
    pnpm: {},
    yarn: { resolutions: tarballs }
  }
  const kind = way.manager === "yarn-pnp" ? "yarn" : way.manager
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, ...extra[kind] }, null, 2))
  const cache = join(folder, "..", `${way.manager}-cache`)
  if (kind === "npm") writeFileSync(join(folder, ".npmrc"), `registry=${registry}\ncache=${cache}\n`)
  if (kind === "pnpm")
    writeFileSync(
      join(folder, "pnpm-workspace.yaml"),
      JSON.stringify({ packages: ["."], overrides: tarballs, registry, storeDir: cache, minimumReleaseAge: 0 })
    )
  if (kind === "yarn") {
    writeFileSync(join(folder, "yarn.lock"), "")
    const settings = {
      nodeLinker: way.manager === "yarn-pnp" ? "pnp" : "node-modules",
      npmRegistryServer: registry,
      unsafeHttpWhitelist: ["127.0.0.1"],
      enableGlobalCache: false,
      cacheFolder: cache,
      enableTelemetry: false,
      enableScripts: false,
      npmMinimalAgeGate: 0
    }
    writeFileSync(join(folder, ".yarnrc.yml"), JSON.stringify(settings))
  }
}

const env = { ...process.env, CI: "", YARN_ENABLE_IMMUTABLE_INSTALLS: "false" }

const install = (place: Place, way: Way): Promise<Ran> => {
  const yarn = join(place.instruments, "node_modules", "@yarnpkg", "cli-dist", "bin", "yarn.js")
  const commands = {
    npm: ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"],
    pnpm: ["pnpm", "install", "--no-frozen-lockfile", "--ignore-scripts"],
    yarn: [process.execPath, yarn, "install"],
    "yarn-pnp": [process.execPath, yarn, "install"]
  } as const
  const [program, ...args] = commands[way.manager]
  return exec(program, args, place.folder, env)
}

/** An application that is compiled as a stranger would: strictly, and looking into every declaration of ours. */
const compile = (place: Place, way: Way, types: NonNullable<Way["types"]>): Promise<Ran> => {
  const root = types.typescript === "5.9" ? place.instruments : workspaceRoot
  const how =
    types.resolution === "bundler"
      ? ["--module", "esnext", "--moduleResolution", "bundler", "--noEmit"]
      : ["--module", "nodenext", "--noEmit"]
  const file = way.module === "esm" ? "login.ts" : "login.cts"
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc")
  const strict = ["--target", "es2024", "--strict", "--skipLibCheck", "--types", "node"]
  return exec(node(place, way), [tsc, ...how, ...strict, file], place.folder, env)
}

/** Installs, compiles and logs in, in one way. Null where all is well. */
export const tryWay = async (place: Place, way: Way): Promise<string | null> => {
  prepare(place, way)
  const app = join(workspaceRoot, "tools", "release", "app")
  for (const file of ["login.ts", "login.cts", "login.mjs", "login.cjs"])
    cpSync(join(app, file), join(place.folder, file))
  const installed = await install(place, way)
  if (!installed.ok) return `it does not install\n${installed.output}`
  if (way.types !== null) {
    const compiled = await compile(place, way, way.types)
    if (!compiled.ok) return `it does not compile\n${compiled.output}`
  }
  const pnp = way.manager === "yarn-pnp" ? ["--require", "./.pnp.cjs", "--loader", "./.pnp.loader.mjs"] : []
  for (const storage of ["memory", "embedded"]) {
    const file = way.module === "esm" ? "login.mjs" : "login.cjs"
    const login = await exec(node(place, way), [...pnp, file, storage], place.folder, env)
    if (!login.ok || !login.output.includes("verified\n")) return `nobody can log in, on ${storage}\n${login.output}`
  }
  return null
}
