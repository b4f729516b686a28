import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { onDemand } from "../onDemand.ts"
import { everyFileUnder, type Manifest, readManifest, run } from "../workspace.ts"

/**
 * What `@arethetypeswrong/core` may say of a package of ours, as data. Everything that is not here is a fault. Our packages
 * are ES modules alone: a CommonJS program gets them by `require`, which Node does from 22.12 on, and we need 22.19.
 */
const allowed: ReadonlyArray<{
  readonly kind: string
  /** In one way to resolve modules, or in all. */
  readonly resolution?: string
  readonly why: string
}> = [
  {
    kind: "CJSResolvesToESM",
    resolution: "node16-cjs",
    why: "require of an ES module works in every Node that we support, and TypeScript knows it from module node20 on"
  },
  {
    kind: "NoResolution",
    resolution: "node10",
    why: "this way to resolve modules knows no `exports`; TypeScript 7 no longer has it, and nodenext and bundler do without"
  }
]

interface Publint {
  readonly publint: (options: object) => Promise<{
    readonly messages: ReadonlyArray<{ readonly code: string }>
    readonly pkg: object
  }>
}

interface PublintUtils {
  readonly formatMessage: (message: object, pkg: object, options: { readonly color: boolean }) => string | undefined
}

interface Problem {
  readonly kind: string
  readonly entrypoint?: string
  readonly resolutionKind?: string
  readonly resolutionOption?: string
}

interface TypesWrong {
  readonly createPackageFromTarballData: (bytes: Uint8Array) => object
  readonly checkPackage: (
    pack: object
  ) => Promise<{ readonly types: false } | { readonly types: object; readonly problems: ReadonlyArray<Problem> }>
}

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

const manifestFaults = (packed: string, manifest: Manifest): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const text = readFileSync(join(packed, "package.json"), "utf8")
  const unresolved = /"(?:workspace|catalog):[^"]*"/.exec(text)
  if (unresolved !== null) faults.push(`${unresolved[0]} is left in the packed package.json`)
  for (const path of promised(manifest)) {
    if (!existsSync(join(packed, path))) faults.push(`${path} is promised but not in the tarball`)
    if (path.endsWith(".ts") && !path.endsWith(".d.ts")) faults.push(`${path} is exported as source`)
  }
  if (!promised(manifest).some((path) => path.startsWith("./dist/") && path.endsWith(".js")))
    faults.push("no JavaScript of dist is exported")
  for (const field of ["license", "description", "engines"] as const)
    if (manifest[field] === undefined) faults.push(`package.json says nothing of its ${field}`)
  for (const field of ["scripts", "devDependencies"] as const)
    if (manifest[field] !== undefined) faults.push(`package.json has ${field}, which nobody needs who installs it`)
  return faults
}

const fileFaults = (packed: string, manifest: Manifest): ReadonlyArray<string> => {
  const faults: Array<string> = []
  for (const file of ["LICENSE", "README.md"])
    if (!existsSync(join(packed, file))) faults.push(`${file} is not in the tarball`)
  if (manifest.name === "@countersign/server" && !existsSync(join(packed, "dist/assets/page/index.html")))
    faults.push("the dashboard's page is not in the tarball")
  for (const file of everyFileUnder(packed)) {
    const path = relative(packed, file).replaceAll("\\", "/")
    // A template is a project of its own, with the tests that its owner begins with.
    const ours = path.startsWith("dist/") || path.startsWith("src/")
    if (path.endsWith(".tsbuildinfo")) faults.push(`${path} is in the tarball`)
    if (ours && /(^|\/)test\/|\.test\.[cm]?[jt]sx?$/.test(path)) faults.push(`${path} is a test`)
    if (path.startsWith("dist/assets/page/") && path.endsWith(".map"))
      faults.push(`${path} is a source map of the page`)
    else if (ours && path.endsWith(".map")) {
      const { sources } = JSON.parse(readFileSync(file, "utf8")) as { readonly sources: ReadonlyArray<string> }
      for (const source of sources)
        if (!existsSync(join(dirname(file), source))) faults.push(`${path} points at ${source}, which is not there`)
    }
  }
  return faults
}

const typeFaults = async (bytes: Uint8Array): Promise<ReadonlyArray<string>> => {
  const { checkPackage, createPackageFromTarballData } =
    await onDemand("checks").load<TypesWrong>("@arethetypeswrong/core")
  const found = await checkPackage(createPackageFromTarballData(bytes))
  if (found.types === false || !("problems" in found)) return ["it has no types"]
  const isAllowed = ({ kind, resolutionKind }: Problem) =>
    allowed.some((rule) => rule.kind === kind && (rule.resolution === undefined || rule.resolution === resolutionKind))
  return found.problems
    .filter((problem) => !isAllowed(problem))
    .map(
      ({ entrypoint = "", kind, resolutionKind, resolutionOption }) =>
        `types: ${kind} ${entrypoint} ${resolutionKind ?? resolutionOption ?? ""}`
    )
}

/** What is wrong with a tarball: in its manifest, in its files, by publint, and in how its types resolve. */
export const faultsOf = async (tarball: string): Promise<ReadonlyArray<string>> => {
  const { load } = onDemand("checks")
  const { publint } = await load<Publint>("publint")
  const { formatMessage } = await load<PublintUtils>("publint/utils")
  const temporary = mkdtempSync(join(tmpdir(), "check-packages-"))
  try {
    const unpacked = run("tar", ["-xzf", tarball, "-C", temporary], temporary)
    if (!unpacked.ok) return [`could not be unpacked\n${unpacked.output}`]
    const packed = join(temporary, "package")
    const manifest = readManifest(packed)
    const bytes = new Uint8Array(readFileSync(tarball))
    const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, level: "suggestion", strict: true })
    const library = Object.keys(Object(manifest.exports)).some((entry) => entry !== "./package.json")
    return [
      ...manifestFaults(packed, manifest),
      ...fileFaults(packed, manifest),
      ...messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code),
      ...(library ? await typeFaults(bytes) : [])
    ]
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}
