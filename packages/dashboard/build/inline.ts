import { readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { build } from "vite"
import { routes } from "../src/address/paths.ts"
import { opening } from "./opening.ts"
import { home } from "./sources.ts"
import { type Language, languages } from "../src/words/language.ts"
import { filesOf, type Manifest, neededBy, readManifest } from "./weigh.ts"

/** The source file of each screen, as `App.tsx` loads it. */
const screensIn = (source: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...source.matchAll(/(\w+): lazyScreen\(\(\) => import\("\.\/([^"]+)"\)\)/g)].map(([, route, file]) => [
      route,
      `src/${file}`
    ])
  )

/** The file name that the first script completes with the language. */
const nameOf = (file: string) => {
  const name = /^assets\/\w+\/(.+)\.js$/.exec(file)?.[1]
  if (name === undefined) throw new Error(`${file} is no script in the assets`)
  return name
}

/** The scripts of the page in one language: those of every screen, the entry first, and the others of each screen. */
interface Scripts {
  readonly every: ReadonlyArray<string>
  readonly screens: Readonly<Record<string, ReadonlyArray<string>>>
}

const scriptsIn = async (manifest: Manifest): Promise<Scripts> => {
  const screens = screensIn(await readFile(join(home, "src/App.tsx"), "utf8"))
  const every = filesOf(manifest, neededBy(manifest, "index.html")).scripts
  const sources = {
    signIn: "src/session/SignIn.tsx",
    ...Object.fromEntries(Object.keys(routes).map((route) => [route, screens[route]]))
  }
  const others = Object.entries(sources).map(([name, source]) => {
    if (source === undefined || manifest[source] === undefined) throw new Error(`App.tsx loads no screen for ${name}`)
    const { scripts } = filesOf(manifest, neededBy(manifest, source))
    return [name, [...scripts].filter((file) => !every.has(file)).map(nameOf)]
  })
  return { every: [...every].map(nameOf), screens: Object.fromEntries(others) }
}

/** The first script as one classic script. */
const firstScript = async (scripts: Readonly<Record<Language, Scripts>>): Promise<string> => {
  const built = await build({
    root: home,
    mode: "production",
    envDir: false,
    configFile: false,
    publicDir: false,
    logLevel: "silent",
    define: { scripts: JSON.stringify(scripts) },
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

/** The only style sheet of the page. The build writes the same one for each language. */
const takeSheet = async (assets: string): Promise<string> => {
  const [sheet, ...more] = (await readdir(assets)).filter((name) => name.endsWith(".css"))
  if (sheet === undefined || more.length > 0) throw new Error(`One style sheet is expected, not ${more.length}`)
  const style = (await readFile(join(assets, sheet), "utf8")).trim()
  await rm(join(assets, sheet))
  return style
}

/**
 * Moves into the HTML what a slow line would otherwise wait for: the style sheet, the opening, and the first script,
 * which asks for all that the address needs. The server allows these by their hashes.
 */
export const inline = async (directory: string): Promise<void> => {
  const built = await Promise.all(
    languages.map(async (language) => ({
      scripts: [language, await scriptsIn(await readManifest(directory, language))] as const,
      style: await takeSheet(join(directory, "assets", language))
    }))
  )
  const style = built[0]?.style ?? ""
  const scripts = Object.fromEntries(built.map((each) => each.scripts)) as Record<Language, Scripts>
  const script = await firstScript(scripts)
  if (/<\/(script|style)/i.test(script + style)) throw new Error("A script or style would end early inside the HTML")
  const file = join(directory, "index.html")
  let html = await readFile(file, "utf8")
  html = once(html, /<link rel="stylesheet"[^>]*>/, `<style>${style}</style>`)
  html = html.replaceAll(/\s*<link rel="modulepreload"[^>]*>/g, "")
  html = once(html, /\s*<script type="module"[^>]*><\/script>/, "")
  html = once(html, /(?<=<meta charset="utf-8" \/>)/, `<script>${script}</script>`)
  html = once(html, /(?=<div id="app">)/, opening("<script>globalThis.countersignOpening?.()</script>"))
  html = once(
    html,
    /(?<=<div id="app"><\/div>)/,
    "<script>document.currentScript.remove();import(globalThis.countersignEntry)</script>"
  )
  await writeFile(file, html)
}
