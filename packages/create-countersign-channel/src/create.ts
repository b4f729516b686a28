import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

/** The channels that Countersign knows. Any other name of the form is one of the author's own. */
export const channels = ["SMS", "WHATSAPP", "RCS", "EMAIL"] as const

/** What a channel may be called, as Countersign checks it. `TRUECALLER` sends nothing, and is no channel. */
export const isChannelName = (text: string): boolean => /^[A-Z][A-Z0-9_]{1,31}$/.test(text) && text !== "TRUECALLER"

/** What to begin. */
export interface Wanted {
  /** Of the package, and of the folder that it is made in. */
  readonly name: string
  /** `SMS`, or a name of its own as `VIBER`. */
  readonly channel: string
  /** Where the folder is made. */
  readonly directory: string
  /** The version of a package that the new one needs. */
  readonly versionOf: (dependency: string) => string
}

/** A reason for people not to begin. */
export class CannotCreate extends Error {}

const template = join(import.meta.dirname, "..", "template")

/** What speaks against a name: it becomes a folder, a package, an address and the beginning of variables. */
export const nameProblem = (name: string): string | null => {
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(name) || name.endsWith("-") || name.includes("--")) {
    return "must begin with a small letter, and have small letters, digits and single dashes alone, 64 at most"
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

/** npm leaves a `.gitignore` out of what it publishes, and takes any `package.json` for one of a package. */
const renamed: { readonly [path: string]: string } = { gitignore: ".gitignore", "manifest.json": "package.json" }
const nameOf = (path: string) => renamed[path] ?? path

/** Writes a new package, and says which files. It changes nothing that is there. */
export const create = (wanted: Wanted): ReadonlyArray<string> => {
  const problem = nameProblem(wanted.name)
  if (problem !== null) throw new CannotCreate(`${JSON.stringify(wanted.name)} ${problem}`)
  const folder = resolve(wanted.directory, wanted.name)
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new CannotCreate(`${folder} is there and not empty; choose another name, or move it away`)
  }
  const files = readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(template.length + 1))
    .sort()
  const texts = files.map((path) => [nameOf(path), filled(readFileSync(join(template, path), "utf8"), wanted)] as const)
  for (const [path, text] of texts) {
    const to = join(folder, path)
    mkdirSync(dirname(to), { recursive: true })
    // Also between two that are asked at the same time, neither writes over a file of the other.
    writeFileSync(to, text, { flag: "wx" })
  }
  return files.map(nameOf)
}
