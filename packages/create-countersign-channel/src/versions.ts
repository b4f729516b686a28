import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

type Versions = { readonly [name: string]: string }

const needed = [
  "@countersign/core",
  "@countersign/provider-http",
  "@countersign/server",
  "@countersign/testkit",
  "@effect/vitest",
  "@types/node",
  "effect",
  "typescript",
  "vitest"
]

const read = (...path: ReadonlyArray<string>) => JSON.parse(readFileSync(join(import.meta.dirname, ...path), "utf8"))

/** What this package is tested with, where it is developed. */
const installed = (): Versions =>
  Object.fromEntries(needed.map((name) => [name, read("..", "node_modules", name, "package.json").version]))

/** What was written when it was packed, because its dependencies for development are not packed with it. */
export const versions = (): Versions =>
  existsSync(join(import.meta.dirname, "versions.json")) ? read("versions.json") : installed()

if (process.argv[2] === "write") {
  writeFileSync(join(import.meta.dirname, "..", "dist", "versions.json"), `${JSON.stringify(installed(), null, 2)}\n`)
}
