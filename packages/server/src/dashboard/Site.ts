import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import { extname } from "node:path"
import type { Assets } from "../Assets.ts"

/** A file as it is answered: its bytes in each coding that there is. */
export interface SiteFile {
  readonly type: string
  /** Its name changes with its content, so a browser need never ask for it again. */
  readonly hashed: boolean
  /** Of the content, whatever it is encoded in. */
  readonly tag: string
  readonly identity: Uint8Array
  readonly br?: Uint8Array | undefined
  readonly gzip?: Uint8Array | undefined
}

/** Every file of the page, by its path below `/dashboard/`. No other is ever answered. */
export type Site = ReadonlyMap<string, SiteFile>

/** What was built is not there, or not whole. */
export class SiteUnreadable extends Schema.TaggedError<SiteUnreadable>()("SiteUnreadable", {
  where: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `The dashboard's files cannot be read from ${this.where}: ${String(this.cause)}`
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

/** Where the build puts what it names after its content. */
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
      br: await bytesOf(`${name}.br`),
      gzip: await bytesOf(`${name}.gz`)
    })
  }
  if (!site.has("index.html")) throw new Error("there is no index.html")
  return site
}

/** Reads all that was built into memory: a few hundred kilobytes, once for each build. */
export const read = (assets: Assets): Effect.Effect<Site, SiteUnreadable> =>
  Effect.tryPromise({
    try: () => readAll(assets),
    catch: (cause) => new SiteUnreadable({ where: assets.where, cause })
  })
