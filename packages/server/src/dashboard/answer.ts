import { type Encoding, encodingFor } from "./encodingFor.ts"
import { asset, everywhere, type Policies } from "./policy.ts"
import type { Site, SiteFile } from "./Site.ts"

export interface Asked {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly acceptEncoding: string | undefined
  readonly ifNoneMatch: string | undefined
}

export interface Answer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: Uint8Array | string
}

export const root = "/dashboard"
const index = "index.html"
const noInline = { scripts: [], styles: [] }
/** The service worker. Its place gives it the scope `/dashboard/`. */
const worker = "push.js"

/** A path below `/dashboard`: a file, the e-mail preview, or a screen, which the page's script renders. */
export type Wanted = { readonly kind: "file"; readonly name: string } | { readonly kind: "mail" | "screen" }

/** Screens have no extension. So a missing script is answered 404, and never with the HTML of a screen. */
export const wantedOf = (path: string): Wanted => {
  const name = path.slice(root.length + 1)
  if (name === "mail") return { kind: "mail" }
  return /\.[^./]*$/.test(name) || name.startsWith("assets/") ? { kind: "file", name } : { kind: "screen" }
}

const year = "public, max-age=31536000, immutable"

const codingsOf = (file: SiteFile) => (["br", "gzip"] as const).filter((coding) => file[coding] !== undefined)

const knows = (ifNoneMatch: string | undefined, etag: string) =>
  (ifNoneMatch ?? "").split(",").some((one) => ["*", etag].includes(one.trim().replace(/^W\//, "")))

const fileAnswer = (file: SiteFile, asked: Asked, policy: Answer["headers"]): Answer => {
  const encoding: Encoding = encodingFor(asked.acceptEncoding, codingsOf(file))
  const etag = `"${file.tag}${encoding === "identity" ? "" : `-${encoding}`}"`
  const shared = { ...policy, etag, vary: "accept-encoding", "cache-control": file.hashed ? year : "no-cache" }
  if (knows(asked.ifNoneMatch, etag)) return { status: 304, headers: shared, body: "" }
  const coded: Answer["headers"] = encoding === "identity" ? {} : { "content-encoding": encoding }
  return {
    status: 200,
    headers: { ...shared, ...coded, "content-type": file.type },
    body: file[encoding] ?? file.identity
  }
}

/** A refusal must not be rendered as a document. */
const refusalHeaders = {
  ...everywhere,
  "content-security-policy": asset,
  "content-type": "application/json",
  "cache-control": "no-store"
}

/** The API's error envelope. */
const refusal = (status: number, errorCode: string, message: string): Answer => ({
  status,
  headers: refusalHeaders,
  body: JSON.stringify({ errorCode, message, requestId: null })
})

const other = refusal(405, "METHOD_NOT_ALLOWED", "This path supports GET and HEAD only")

export const methodUnknown: Answer = { ...other, headers: { ...other.headers, allow: "GET, HEAD" } }

const fileUnknown = refusal(
  404,
  "NOT_FOUND",
  "The dashboard does not have this file. Reload the page: the dashboard may have been updated"
)

export const unavailable = refusal(
  500,
  "INTERNAL_ERROR",
  "The dashboard is unavailable; the server's log has the reason"
)

/** Answers GET and HEAD from the built files. */
export const answer = (site: Site, asked: Asked, wanted: Wanted, policies: Policies): Answer => {
  const name = wanted.kind === "file" ? wanted.name : index
  const file = site.get(name)
  if (file === undefined) return fileUnknown
  const policy =
    name === index ? policies.page(file.inline ?? noInline) : name === worker ? policies.worker : policies.asset
  return fileAnswer(file, asked, policy)
}
