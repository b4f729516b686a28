import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { workspaceRoot } from "../workspace.ts"
import { exec, type Ran } from "./Outside.ts"
import type { Packed } from "./pack.ts"

/** What a Next application is made of, beside ours. */
const own = ["next@16", "react@19", "react-dom@19", "@electric-sql/pglite"]

const layout = `export default function Layout({ children }: { readonly children: unknown }) {
  return <html><body>{children as never}</body></html>
}
`

/** Builds the example for Next as its user would: our tarballs in a folder of its own, the route as it is, no `next.config`. */
export const nextBuild = async (folder: string, packed: ReadonlyArray<Packed>): Promise<Ran> => {
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
