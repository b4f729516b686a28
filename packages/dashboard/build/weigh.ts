/** A row of Vite's manifest, of which this is what we need. */
export interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly isDynamicEntry?: boolean
  readonly imports?: ReadonlyArray<string>
  readonly dynamicImports?: ReadonlyArray<string>
  readonly css?: ReadonlyArray<string>
}

export type Manifest = Readonly<Record<string, Chunk>>

/** Bytes as they go over the wire, gzipped. */
export interface Weight {
  readonly script: number
  readonly style: number
}

export interface Weights {
  /** What every screen loads. */
  readonly shell: Weight
  /** With the heaviest screen: what somebody waits for who opens the worst address first. */
  readonly first: Weight & { readonly screen: string | null }
}

/** A chunk and all that it cannot run without. */
const closure = (manifest: Manifest, key: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(key)) return found
  found.add(key)
  for (const next of manifest[key]?.imports ?? []) closure(manifest, next, found)
  return found
}

const filesOf = (manifest: Manifest, keys: Iterable<string>) => {
  const chunks = [...keys].map((key) => manifest[key]).filter((chunk) => chunk !== undefined)
  return {
    scripts: new Set(chunks.map(({ file }) => file).filter((file) => file.endsWith(".js"))),
    styles: new Set(chunks.flatMap(({ css = [] }) => css))
  }
}

/** Weighs a first load: the entry with all that it imports, and with each screen in turn, which are what it imports lazily. */
export const weigh = (manifest: Manifest, sizeOf: (file: string) => number): Weights => {
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry === true)
  if (entry === undefined) throw new Error("The manifest has no entry")
  const weightOf = (keys: Iterable<string>): Weight => {
    const { scripts, styles } = filesOf(manifest, keys)
    const sum = (files: Iterable<string>) => [...files].reduce((total, file) => total + sizeOf(file), 0)
    return { script: sum(scripts), style: sum(styles) }
  }
  const needed = closure(manifest, entry)
  const screens = [...new Set([...needed].flatMap((key) => manifest[key]?.dynamicImports ?? []))]
  const shell = weightOf(needed)
  const loads = screens.map((screen) => ({ screen, ...weightOf([...needed, ...closure(manifest, screen)]) }))
  const heaviest = loads.toSorted((a, b) => b.script - a.script)[0]
  const style = Math.max(shell.style, ...loads.map((load) => load.style))
  return { shell, first: { screen: heaviest?.screen ?? null, script: heaviest?.script ?? shell.script, style } }
}

/** Where a person may follow a link to. Nothing is ever loaded from there; the content policy sees to that. */
const linked: ReadonlyArray<string> = [
  "www.openstreetmap.org" // a place that a customer has sent
]

/** Names of hosts in a text, but for those that are only names (of languages, of examples), and those that links lead to. */
export const hostsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\bhttps?:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)*)/gi)]
    .map(([, host = ""]) => host.toLowerCase())
    .filter(
      (host) =>
        !linked.includes(host) && !/^(www\.w3\.org|localhost|127\.0\.0\.1|(.+\.)?example(\.(com|org|net))?)$/.test(host)
    )
