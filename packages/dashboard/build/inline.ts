import { readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { build } from "vite"
import { routes } from "../src/address/paths.ts"
import { opening } from "./opening.ts"
import { home } from "./sources.ts"
import { filesOf, type Manifest, neededBy } from "./weigh.ts"

/** The source file of each screen, as `App.tsx` loads it. */
const screensIn = (source: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...source.matchAll(/(\w+): lazyScreen\(\(\) => import\("\.\/([^"]+)"\)\)/g)].map(([, route, file]) => [
      route,
      `src/${file}`
    ])
  )

/** The file name that the first script completes. */
const nameOf = (file: string) => {
  const name = /^assets\/(.+)\.js$/.exec(file)?.[1]
  if (name === undefined) throw new Error(`${file} is no script in the assets`)
  return name
}

/** The script files that each screen needs besides those of every screen. */
const screenFiles = async (manifest: Manifest): Promise<Readonly<Record<string, ReadonlyArray<string>>>> => {
  const screens = screensIn(await readFile(join(home, "src/App.tsx"), "utf8"))
  const shared = filesOf(manifest, neededBy(manifest, "index.html")).scripts
  const sources = {
    signIn: "src/session/SignIn.tsx",
    ...Object.fromEntries(Object.keys(routes).map((route) => [route, screens[route]]))
  }
  return Object.fromEntries(
    Object.entries(sources).map(([name, source]) => {
      if (source === undefined || manifest[source] === undefined) throw new Error(`App.tsx loads no screen for ${name}`)
      return [
        name,
        [...filesOf(manifest, neededBy(manifest, source)).scripts].filter((file) => !shared.has(file)).map(nameOf)
      ]
    })
  )
}

/** The first script as one classic script. */
const firstScript = async (files: Readonly<Record<string, ReadonlyArray<string>>>): Promise<string> => {
  const built = await build({
    root: home,
    mode: "production",
    envDir: false,
    configFile: false,
    publicDir: false,
    logLevel: "silent",
    define: { screenFiles: JSON.stringify(files) },
    build: {
      target: "es2024",
      write: false,
      lib: { entry: "src/first.ts", formats: ["iife"], name: "first" },
      reportCompressedSize: false
    }
  })
  const [output] = Array.isArray(built) ? built : []
  const [chunk] = output?.output ?? []
  if (chunk?.type !== "chunk") throw new Error("The first script was not built")
  return chunk.code.trim()
}

const once = (html: string, pattern: RegExp, by: string): string => {
  if (!pattern.test(html)) throw new Error(`index.html has no ${pattern}`)
  return html.replace(pattern, () => by)
}

/**
 * Moves into the HTML what a slow line would otherwise wait for: the style sheet, the opening, and the first script,
 * which asks for all that the address needs. The server allows these by their hashes.
 */
export const inline = async (directory: string): Promise<void> => {
  const manifest = JSON.parse(await readFile(join(directory, ".vite", "manifest.json"), "utf8")) as Manifest
  const sheets = (await readdir(join(directory, "assets"))).filter((name) => name.endsWith(".css"))
  const [sheet] = sheets
  if (sheet === undefined || sheets.length > 1) throw new Error(`One style sheet is expected, not ${sheets.length}`)
  const style = (await readFile(join(directory, "assets", sheet), "utf8")).trim()
  const script = await firstScript(await screenFiles(manifest))
  if (/<\/(script|style)/i.test(script + style)) throw new Error("A script or style would end early inside the HTML")
  const file = join(directory, "index.html")
  let html = await readFile(file, "utf8")
  html = once(html, /<link rel="stylesheet"[^>]*>/, `<style>${style}</style>`)
  html = once(html, /(?<=<meta charset="utf-8" \/>)/, `<script>${script}</script>`)
  html = once(html, /(?=<div id="app">)/, opening("<script>globalThis.countersignOpening?.()</script>"))
  await writeFile(file, html)
  await rm(join(directory, "assets", sheet))
}
