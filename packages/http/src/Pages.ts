import { type JobStore, makeOverdueJobs, makeTransactionAge, type StorageHealth } from "@countersign/core/storage"
import { Context, Effect, identity, Layer, Option } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { PrometheusMetrics } from "effect/observability"
import { Api } from "./Api.ts"
import { sampleAddress } from "./contract/introduction.ts"
import { version } from "./contract/version.ts"
import * as Document from "./Document.ts"
import { favicon } from "./favicon.ts"
import { type Audience, servesRoute } from "./Listener.ts"
import { contract } from "./Routes.ts"
import type { WireRequest } from "./WireRequest.ts"
import type { WireResponse } from "./WireResponse.ts"

/** Pages for GET outside the contract, which describe the service or are for people. */
export type Pages = { readonly [path: string]: (request: WireRequest) => Effect.Effect<WireResponse> }

const html = { "content-type": "text/html; charset=utf-8", "x-content-type-options": "nosniff" }

/** The page may load only its own content and call only this service. */
const policy = (scripts: ReadonlyArray<string>) =>
  [
    "default-src 'none'",
    `script-src ${scripts.length === 0 ? "'none'" : scripts.map((hash) => `'sha256-${hash}'`).join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

const sha256 = async (text: string) =>
  btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))))

type Spec = Record<string, unknown>

const written = Context.getOption(Api.annotations, OpenApi.Transform)

/** The document of the contract, with the address of this server in its example. */
const addressed = (base: string, spec: Spec): Spec => {
  const whole = Option.match(written, { onNone: () => spec, onSome: (transform) => transform(spec) })
  const info = whole["info"] as { readonly description: string }
  if (!URL.canParse(base)) return whole
  return { ...whole, info: { ...info, description: info.description.replace(sampleAddress, base) } }
}

/** Limits the OpenAPI document to the paths that an audience is served. */
const describing = (base: string, audience: Audience) => (spec: Spec) => {
  const whole = addressed(base, spec)
  if (audience === "all") return whole
  const served = new Set(
    contract.filter((route) => servesRoute(audience, route)).map(({ path }) => path.replace(/:(\w+)/g, "{$1}"))
  )
  const paths = Object.entries(whole["paths"] as Spec).filter(([path]) => served.has(path))
  const used = new Set(
    paths.flatMap(([, path]) =>
      Object.values(path as Spec).flatMap(
        (operation) => (operation as { readonly tags?: ReadonlyArray<string> }).tags ?? []
      )
    )
  )
  const tags = (whole["tags"] as ReadonlyArray<{ readonly name: string }> | undefined)?.filter(({ name }) =>
    used.has(name)
  )
  return { ...whole, paths: Object.fromEntries(paths), ...(tags === undefined ? {} : { tags }) }
}

/** `server` is the URL of requests, and `base` the address in the example. */
const api = (base: string, audience: Audience, server = base) =>
  Api.annotate(OpenApi.Servers, [{ url: server }]).annotate(OpenApi.Transform, describing(base, audience))

const openapi = (base: string, audience: Audience) =>
  Effect.sync(() => ({
    text: JSON.stringify(OpenApi.fromApi(api(base, audience))),
    headers: { "content-type": "application/json" }
  }))

/** The colours of the product, without parts that belong to other products or send readers away. */
const scalarStyles = `
.light-mode { --scalar-color-accent: #0f766e; --scalar-link-color: #0f766e; --scalar-background-accent: #0f766e1a; }
.dark-mode { --scalar-color-accent: #2dd4bf; --scalar-link-color: #2dd4bf; --scalar-background-accent: #2dd4bf1f; }
#api-reference-container { overflow-x: clip; }
.markdown pre, .markdown pre code { white-space: pre-wrap !important; overflow-wrap: anywhere; }
.open-api-client-button, a[href*="scalar.com"] { display: none !important; }
`

/** Names options that Effect's type of the configuration does not have yet. */
const scalar: HttpApiScalar.ScalarConfig & { readonly [option: string]: unknown } = {
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  documentDownloadType: "none",
  telemetry: false,
  customCss: scalarStyles
}

/**
 * The API reference with its script inlined, so that it loads nothing from other servers. Its examples and requests use
 * the address that the reader opened it at, which always reaches this server.
 */
const docs = (base: string, audience: Audience) =>
  Effect.promise(async () => {
    const path = URL.canParse(base) ? new URL(base).pathname : base
    const page = HttpRouter.toWebHandler(
      HttpApiScalar.layer(api(base, audience, path), { path: "/docs", scalar }).pipe(
        Layer.provide(HttpServer.layerServices)
      ),
      { disableLogger: true }
    )
    const made = await (await page.handler(new Request("http://localhost/docs"))).text()
    await page.dispose()
    const text = made
      .replace("<html>", '<html lang="en">')
      .replace("<head>", `<head><link rel="icon" href="${favicon()}" />`)
    const scripts = await Promise.all(
      [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = ""]) => sha256(script))
    )
    return { text, headers: { ...html, "content-security-policy": policy(scripts) } }
  })

const welcomeStyles = `:root{--ground:#f3f5f4;--ink:#14201e;--link:#0f766e}
@media (prefers-color-scheme:dark){:root{--ground:#0d1413;--ink:#e9f0ee;--link:#2dd4bf}}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
main{margin:min(6rem,10vh) auto;max-width:34rem;padding:0 1rem}h1{display:flex;align-items:center;gap:.75rem}a{color:var(--link)}`

/** The page at the service's root path. */
const welcome = (base: string) => {
  const at = (path: string) => `${base === "/" ? "" : base}${path}`.replaceAll(/[&"<]/g, (c) => `&#${c.charCodeAt(0)};`)
  const links = [
    ["/docs", "API reference"],
    ["/openapi.json", "OpenAPI document"],
    ["/readyz", "readiness check"]
  ].map(([path = "", what]) => `<li><a href="${at(path)}">${path}</a>: ${what}</li>`)
  return Effect.succeed({
    text: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">
<title>Countersign</title><link rel="icon" href="${favicon()}"><style>${welcomeStyles}</style>
<main><h1><img src="${favicon()}" alt="" width="32" height="32"> Countersign</h1><p>The verification service is running, version ${version}.</p><ul>${links.join("")}</ul></main></html>`,
    headers: { ...html, "content-security-policy": policy([]) }
  })
}

const metrics = (around: (own: Effect.Effect<string>) => Effect.Effect<string>) =>
  Effect.map(Effect.all([makeOverdueJobs, makeTransactionAge]), (refreshes) => {
    const refresh = Effect.all(refreshes, { concurrency: "unbounded", discard: true })
    const text = around(Effect.andThen(refresh, PrometheusMetrics.format()))
    return () =>
      Effect.map(text, (body) => ({
        status: 200,
        headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
        body
      }))
  })

/** `/`, `/openapi.json`, `/docs` and `/metrics`. Each is built at its first request. */
export const make = ({
  audience = "all",
  basePath = "",
  metrics: around = identity,
  publicUrl
}: {
  readonly publicUrl?: string | undefined
  readonly metrics?: ((own: Effect.Effect<string>) => Effect.Effect<string>) | false | undefined
  readonly basePath?: string | undefined
  readonly audience?: Audience
}): Effect.Effect<Pages, never, JobStore | StorageHealth> => {
  const base = (publicUrl ?? basePath).replace(/\/+$/, "") || "/"
  return Effect.map(
    Effect.all([
      Document.make(welcome(base)),
      Document.make(openapi(base, audience)),
      Document.make(docs(base, audience)),
      around === false ? Effect.succeed(undefined) : metrics(around)
    ]),
    ([welcome, openapi, docs, metrics]) => ({
      "/": welcome,
      "/openapi.json": openapi,
      "/docs": docs,
      ...(metrics === undefined ? {} : { "/metrics": metrics })
    })
  )
}
