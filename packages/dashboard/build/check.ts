import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { page, sources } from "./sources.ts"
import { languages } from "../src/words/language.ts"
import { hostsIn, readManifest, weigh } from "./weigh.ts"

/** Budget of a first load in gzip bytes, for any screen. */
const budget = { script: 60 * 1024, style: 15 * 1024 }

/** Builds the page, prints its sizes, and fails above the budget, on a source map or on the name of another host. */
const faults: Array<string> = []
const problem = await sources.build()
if (problem !== null) {
  console.log(problem)
  process.exit(1)
}
const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`

const names = (await readdir(page, { recursive: true })).filter((name) => /\.(js|css|html|map)$/.test(name))
const sizes = new Map<string, number>()
for (const name of names) {
  const bytes = await readFile(join(page, name))
  sizes.set(name.replaceAll("\\", "/"), gzipSync(bytes, { level: 9 }).length)
  if (name.endsWith(".map")) faults.push(`${name} is a source map: leave build.sourcemap off`)
  const hosts = [...new Set(hostsIn(bytes.toString()))]
  if (hosts.length > 0) faults.push(`${name} names ${hosts.join(", ")}: the page asks no other host, so link to a path`)
}

const html = await readFile(join(page, "index.html"), "utf8")
const inlined = (element: "script" | "style") =>
  gzipSync([...html.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, "g"))].map(([, text]) => text).join("\n"), {
    level: 9
  }).length
const inHtml = { script: inlined("script"), style: inlined("style") }
for (const language of languages) {
  const { first, shell } = weigh(await readManifest(page, language), (file) => sizes.get(file) ?? 0, inHtml)
  for (const kind of ["script", "style"] as const) {
    const most = budget[kind]
    const least = shell[kind] === first[kind] ? "" : `, of which every screen loads ${kilobytes(shell[kind])}`
    console.log(
      `       first load (${language}), ${kind}: ${kilobytes(first[kind])} of at most ${kilobytes(most)} gzip${least}`
    )
    if (first[kind] > most)
      faults.push(`The first load (${language}) has ${kilobytes(first[kind] - most)} of ${kind} too much`)
  }
  console.log(`       its heaviest screen: ${first.screen ?? "none yet"}`)
}
const largest = [...sizes].toSorted(([, a], [, b]) => b - a).slice(0, 5)
console.log(`       largest: ${largest.map(([name, size]) => `${name} ${kilobytes(size)}`).join(", ")}`)

for (const fault of faults) console.log(fault)
process.exitCode = faults.length === 0 ? 0 : 1
