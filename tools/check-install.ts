import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { tryWay } from "./release/OneWay.ts"
import { exec, Outside, type Ran } from "./release/Outside.ts"
import { instruments, ways } from "./release/ways.ts"
import { workspaceRoot } from "./workspace.ts"
import type { Packed } from "./release/pack.ts"

/** What a Next application is made of, beside ours. */
const own = ["next@16", "react@19", "react-dom@19", "@electric-sql/pglite"]

const layout = `export default function Layout({ children }: { readonly children: unknown }) {
  return <html><body>{children as never}</body></html>
}
`

/** Builds the example for Next as its user would: our tarballs in a folder of its own, the route as it is, no `next.config`. */
const nextBuild = async (folder: string, packed: ReadonlyArray<Packed>): Promise<Ran> => {
  mkdirSync(join(folder, "app"), { recursive: true })
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n')
  writeFileSync(join(folder, "app", "layout.tsx"), layout)
  cpSync(join(workspaceRoot, "examples/embedding/src/next/app"), join(folder, "app"), { recursive: true })
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel", "error"]
  const types = ["typescript@5.9", "@types/node", "@types/react@19"]
  const tarballs = packed.map(({ tarball }) => tarball)
  const installed = await exec("npm", ["install", ...flags, ...tarballs, ...own, ...types], folder, process.env)
  if (!installed.ok) return installed
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" } as const
  const built = await exec(join(folder, "node_modules/.bin/next"), ["build"], folder, env)
  return { ok: built.ok && built.output.includes("/auth/[...path]"), output: built.output }
}

let failed = false
const step = (name: string, ok: boolean, output: string) => {
  failed ||= !ok
  console.log(`${ok ? "ok    " : "FAILED"} ${name}`)
  if (!ok) console.log(output.trim())
  return ok
}
const says = ({ ok, output }: Ran, text: string) => ok && output.includes(text)

const post = async (url: string, headers: Readonly<Record<string, string>>, body: object) => {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  return (await response.json()) as { readonly requestId: string; readonly verified?: boolean }
}

/** The keys of the test environment, as the first start prints them. */
const keysIn = (printed: string) => {
  const test = printed.slice(printed.indexOf("\ntest"))
  const value = (name: string) => new RegExp(`${name} +(\\S+)`).exec(test)?.[1] ?? ""
  return { "x-client-id": value("X-Client-Id"), "x-client-secret": value("X-Client-Secret") }
}

const outside = await Outside.make()
try {
  const installed = await outside.install("@electric-sql/pglite")
  if (step("npm installs the packed packages into an empty folder", installed.ok, installed.output)) {
    const empty = join(outside.folder, "node_modules", "@countersign", "postgres", "empty")
    const archives = existsSync(empty) ? readdirSync(empty) : []
    step("the empty database is among what is installed", archives.length === 1, `${empty}: ${archives.join()}`)
    outside.bring("tools/release/app/login.ts", "login.ts")
    const tsc = join(workspaceRoot, "node_modules", "typescript", "bin", "tsc")
    const types = ["--module", "nodenext", "--target", "es2024", "--strict", "--skipLibCheck", "--types", "node"]
    const roots = ["--typeRoots", join(workspaceRoot, "node_modules", "@types")]
    const compiled = await outside.run(process.execPath, tsc, ...types, ...roots, "login.ts")
    step("an application compiles against their types", compiled.ok, compiled.output)
    for (const storage of ["memory", "embedded"]) {
      const login = await outside.run(process.execPath, "login.js", storage)
      step(`it logs in through them, on ${storage} storage`, says(login, "verified\n"), login.output)
    }
    const bin = join(
      "node_modules",
      "@countersign/server",
      outside.manifest("@countersign/server").bin!["countersign"]!
    )
    outside.remove("@countersign/testkit")
    const simulated = await outside.run(process.execPath, bin, "serve", "--simulate")
    step(
      "the installed server says what --simulate needs",
      !simulated.ok && simulated.output.includes("npm install @countersign/testkit"),
      simulated.output
    )
    const server = await outside
      .whileRunning(
        [bin, "serve"],
        { PORT: "0" },
        (printed) => /Countersign is ready at (\S+)/.exec(printed),
        async ([, url = ""], printed) => {
          const identity = { identity: "+919876543210", identityType: "MOBILE", mode: "OTP" }
          const page = await (await fetch(`${url}/dashboard`)).text()
          if (!page.includes("/dashboard/assets/")) throw new Error(`it serves no dashboard:\n${page}`)
          const { requestId } = await post(`${url}/v1/auth/initiate`, keysIn(printed), identity)
          return post(`${url}/v1/auth/verify`, keysIn(printed), { requestId, otp: "123456" })
        }
      )
      .then(
        ({ verified }) => ({ ok: verified === true, output: "not verified" }),
        (error: unknown) => ({ ok: false, output: String(error) })
      )
    step("without that it starts, serves the dashboard, and lets a person in", server.ok, server.output)
    outside.duplicate("effect", "@countersign/http")
    const twice = await outside.run(process.execPath, "login.js")
    step("two copies of effect are named", !twice.ok && twice.output.includes("copies of effect"), twice.output)
  }
  const built = await nextBuild(outside.beside("next"), outside.packed)
  step("next build builds the example for Next", built.ok, built.output)
  const place = outside.beside("instruments")
  mkdirSync(place)
  const names = Object.entries(instruments).map(([name, version]) => `${name}@${version}`)
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--no-save"]
  const got = await exec("npm", ["install", "--prefix", place, ...flags, ...names], place, process.env)
  if (step(`there are ${names.join(", ")}`, got.ok, got.output))
    for (const [number, way] of ways.entries()) {
      const { packed, registry } = outside
      const fault = await tryWay({ folder: outside.beside(`way-${number}`), instruments: place, registry, packed }, way)
      const types = way.types === null ? "" : `, TypeScript ${way.types.typescript} with ${way.types.resolution}`
      step(`${way.manager}, Node ${way.node}, ${way.module}${types}: a login`, fault === null, fault ?? "")
    }
} finally {
  await outside.close()
}
process.exitCode = failed ? 1 : 0
