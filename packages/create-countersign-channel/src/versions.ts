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

/** The versions that this package is tested with, in the repository. */
const installed = (): Versions =>
  Object.fromEntries(needed.map((name) => [name, read("..", "node_modules", name, "package.json").version]))

/** The versions stored when the package was packed, because its development dependencies are not published. */
export const versions = (): Versions =>
  existsSync(join(import.meta.dirname, "versions.json")) ? read("versions.json") : installed()

if (process.argv[2] === "write") {
  writeFileSync(join(import.meta.dirname, "..", "dist", "versions.json"), `${JSON.stringify(installed(), null, 2)}\n`)
}
