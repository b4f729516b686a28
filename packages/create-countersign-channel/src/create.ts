import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

/** The built-in channel names. Any other valid name is the author's own. */
export const channels = ["SMS", "WHATSAPP", "RCS", "EMAIL"] as const

/** Whether a channel name is valid, by Countersign's rule. `TRUECALLER` is a number verifier and not a channel. */
export const isChannelName = (text: string): boolean => /^[A-Z][A-Z0-9_]{1,31}$/.test(text) && text !== "TRUECALLER"

/** The package to create. */
export interface Wanted {
  /** The name of the package and of its folder. */
  readonly name: string
  /** `SMS`, or a new name such as `VIBER`. */
  readonly channel: string
  /** The parent directory of the folder. */
  readonly directory: string
  /** The version of a package that the new one needs. */
  readonly versionOf: (dependency: string) => string
}

/** The package cannot be created; the message has the reason. */
export class CannotCreate extends Error {}

const template = join(import.meta.dirname, "..", "template")

/** The problem with a name, or null. The name becomes a folder, a package, a URL and a prefix of variables. */
export const nameProblem = (name: string): string | null => {
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(name) || name.endsWith("-") || name.includes("--")) {
    return "must start with a lower-case letter and contain only lower-case letters, digits and single dashes, at most 64"
  }
  return name === "countersign" || name.startsWith("countersign-server") ? "is the name of another package" : null
}

/** `countersign-channel-acme-sms` sends through `acme`, and so does `acme-viber` for VIBER. */
const providerOf = ({ channel, name }: Pick<Wanted, "channel" | "name">) => {
  const short = name.replace(/^countersign-(channel-)?/, "").replace(/-(sms|whatsapp|rcs|email|mail)$/, "")
  const own = `-${channel.toLowerCase().replaceAll("_", "-")}`
  return (short.endsWith(own) ? short.slice(0, -own.length) : short) || name
}

const filled = (text: string, { channel, name, versionOf }: Wanted) => {
  const provider = providerOf({ channel, name })
  const words: { readonly [word: string]: string } = {
    name,
    channel,
    provider,
    identityType: channel === "EMAIL" ? "EMAIL" : "MOBILE",
    recipient: channel === "EMAIL" ? "reader@example.com" : "+919876543210",
    PREFIX: provider.replaceAll("-", "_").toUpperCase()
  }
  return text
    .split("\n")
    .filter((line) => channel === "EMAIL" || !line.endsWith("// only EMAIL"))
    .map((line) => line.replace(/ \/\/ only EMAIL$/, ""))
    .join("\n")
    .replace(/\{\{version ([^}]+)\}\}/g, (_, dependency: string) => versionOf(dependency))
    .replace(/\{\{(\w+)\}\}/g, (whole, word: string) => words[word] ?? whole)
}

/** Renamed, because npm does not publish `.gitignore` and treats every `package.json` as a package. */
const renamed: { readonly [path: string]: string } = { gitignore: ".gitignore", "manifest.json": "package.json" }
const nameOf = (path: string) => renamed[path] ?? path

/** Writes a new package and returns its files. Never overwrites existing files. */
export const create = (wanted: Wanted): ReadonlyArray<string> => {
  const problem = nameProblem(wanted.name)
  if (problem !== null) throw new CannotCreate(`${JSON.stringify(wanted.name)} ${problem}`)
  const folder = resolve(wanted.directory, wanted.name)
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new CannotCreate(`${folder} exists and is not empty; choose another name, or move the folder away`)
  }
  const files = readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(template.length + 1))
    .sort()
  const texts = files.map((path) => [nameOf(path), filled(readFileSync(join(template, path), "utf8"), wanted)] as const)
  for (const [path, text] of texts) {
    const to = join(folder, path)
    mkdirSync(dirname(to), { recursive: true })
    // The flag prevents two concurrent runs from overwriting each other's files.
    writeFileSync(to, text, { flag: "wx" })
  }
  return files.map(nameOf)
}
