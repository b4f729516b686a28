import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Language } from "../src/words/language.ts"

/** A row of Vite's manifest, with only the fields used here. */
export interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly isDynamicEntry?: boolean
  readonly imports?: ReadonlyArray<string>
  readonly dynamicImports?: ReadonlyArray<string>
  readonly css?: ReadonlyArray<string>
}

export type Manifest = Readonly<Record<string, Chunk>>

/** Where the build writes the manifest of a language. The leading dot keeps it from being served. */
export const manifestOf = (language: Language): string => `.vite/${language}.json`

export const readManifest = async (directory: string, language: Language): Promise<Manifest> =>
  JSON.parse(await readFile(join(directory, manifestOf(language)), "utf8")) as Manifest

export interface Weight {
  readonly script: number
  readonly style: number
}

export interface Weights {
  /** Chunks that every screen loads. */
  readonly shell: Weight
  /** Including the heaviest screen: the worst case of a first visit. */
  readonly first: Weight & { readonly screen: string | null }
}

/** A chunk with all its static imports. */
export const neededBy = (manifest: Manifest, key: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(key)) return found
  found.add(key)
  for (const next of manifest[key]?.imports ?? []) neededBy(manifest, next, found)
  return found
}

export const filesOf = (manifest: Manifest, keys: Iterable<string>) => {
  const chunks = [...keys].map((key) => manifest[key]).filter((chunk) => chunk !== undefined)
  return {
    scripts: new Set(chunks.map(({ file }) => file).filter((file) => file.endsWith(".js"))),
    styles: new Set(chunks.flatMap(({ css = [] }) => css))
  }
}

/** Weighs a first load: what the HTML contains, the entry with its imports, plus each lazily imported screen in turn. */
export const weigh = (
  manifest: Manifest,
  sizeOf: (file: string) => number,
  inHtml: Weight = { script: 0, style: 0 }
): Weights => {
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry === true)
  if (entry === undefined) throw new Error("The manifest has no entry")
  const weightOf = (keys: Iterable<string>): Weight => {
    const { scripts, styles } = filesOf(manifest, keys)
    const sum = (files: Iterable<string>) => [...files].reduce((total, file) => total + sizeOf(file), 0)
    return { script: inHtml.script + sum(scripts), style: inHtml.style + sum(styles) }
  }
  const needed = neededBy(manifest, entry)
  const screens = [...new Set([...needed].flatMap((key) => manifest[key]?.dynamicImports ?? []))]
  const shell = weightOf(needed)
  const loads = screens.map((screen) => ({ screen, ...weightOf([...needed, ...neededBy(manifest, screen)]) }))
  const heaviest = loads.toSorted((a, b) => b.script - a.script)[0]
  const style = Math.max(shell.style, ...loads.map((load) => load.style))
  return { shell, first: { screen: heaviest?.screen ?? null, script: heaviest?.script ?? shell.script, style } }
}

/** Hosts that the page may link to. The content policy prevents loading anything from them. */
const linked: ReadonlyArray<string> = [
  "www.openstreetmap.org" // a location that a customer sent
]

/** Host names in a text, except names of languages and examples, and hosts that the page only links to. */
export const hostsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\bhttps?:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)*)/gi)]
    .map(([, host = ""]) => host.toLowerCase())
    .filter(
      (host) =>
        !linked.includes(host) && !/^(www\.w3\.org|localhost|127\.0\.0\.1|(.+\.)?example(\.(com|org|net))?)$/.test(host)
    )
