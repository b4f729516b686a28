import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import { extname } from "node:path"
import type { Assets } from "../Assets.ts"

/** A file of the dashboard, in every available content encoding. */
export interface SiteFile {
  readonly type: string
  /** Its name contains a hash of its content, so browsers may cache it forever. */
  readonly hashed: boolean
  /** A hash of the unencoded content. */
  readonly tag: string
  readonly identity: Uint8Array
  readonly br?: Uint8Array | undefined
  readonly gzip?: Uint8Array | undefined
  /** Of a page: what it contains itself. */
  readonly inline?: Inline
}

/** Hashes of the scripts and styles inside a page, as a content security policy names them. */
export interface Inline {
  readonly scripts: ReadonlyArray<string>
  readonly styles: ReadonlyArray<string>
}

/** All files of the page, by their path below `/dashboard/`. Nothing else is served. */
export type Site = ReadonlyMap<string, SiteFile>

/** The built files are missing or incomplete. */
export class SiteUnreadable extends Schema.TaggedError<SiteUnreadable>()("SiteUnreadable", {
  where: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `Cannot read the dashboard's files from ${this.where}: ${String(this.cause)}`
  }
}

const types: { readonly [extension: string]: string } = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8"
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("base64")

/** Only elements without attributes count: those of the build. A script with a source needs no hash. */
const inlineIn = (html: string): Inline => {
  const hashesOf = (name: string) =>
    [...html.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, "g"))].map(([, text = ""]) => hashOf(text))
  return { scripts: hashesOf("script"), styles: hashesOf("style") }
}

/** The build puts files with a hash in their name here. */
const hashedFolder = "assets/"

const isCoded = (name: string) => name.endsWith(".br") || name.endsWith(".gz")

const readAll = async (assets: Assets): Promise<Site> => {
  const names = await assets.names()
  const there = new Set(names)
  const bytesOf = (name: string) => (there.has(name) ? assets.read(name) : Promise.resolve(undefined))
  const site = new Map<string, SiteFile>()
  for (const name of names.filter((name) => !isCoded(name))) {
    const identity = await assets.read(name)
    site.set(name, {
      type: types[extname(name)] ?? "application/octet-stream",
      hashed: name.startsWith(hashedFolder),
      tag: createHash("sha256").update(identity).digest("base64url").slice(0, 22),
      identity,
      ...(name.endsWith(".html") ? { inline: inlineIn(Buffer.from(identity).toString()) } : {}),
      br: await bytesOf(`${name}.br`),
      gzip: await bytesOf(`${name}.gz`)
    })
  }
  if (!site.has("index.html")) throw new Error("index.html is missing")
  return site
}

/** Reads the whole build into memory: a few hundred kilobytes. */
export const read = (assets: Assets): Effect.Effect<Site, SiteUnreadable> =>
  Effect.tryPromise({
    try: () => readAll(assets),
    catch: (cause) => new SiteUnreadable({ where: assets.where, cause })
  })
