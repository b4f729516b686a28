import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { PrometheusMetrics } from "effect/observability"
import { Api } from "./contract.ts"
import type { WireRequest } from "./WireRequest.ts"
import { json, type WireResponse } from "./WireResponse.ts"

/** Answers to a GET that are not part of the contract, because they describe it or show something to a person. */
export type Pages = { readonly [path: string]: (request: WireRequest) => Effect.Effect<WireResponse> }

const openapi = Effect.cached(Effect.sync(() => json(200, OpenApi.fromApi(Api))))

/** The reference, with its program inside: it asks nobody else for anything. */
const docs = Effect.cached(
  Effect.promise(async () => {
    const page = HttpRouter.toWebHandler(
      HttpApiScalar.layer(Api, { path: "/docs" }).pipe(Layer.provide(HttpServer.layerServices)),
      { disableLogger: true }
    )
    const body = await (await page.handler(new Request("http://localhost/docs"))).text()
    await page.dispose()
    return { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body }
  })
)

const metrics = Effect.map(PrometheusMetrics.format(), (body) => ({
  status: 200,
  headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
  body
}))

/** `/openapi.json`, `/docs` and `/metrics`. Nothing is built before it is asked for. */
export const make: Effect.Effect<Pages> = Effect.map(Effect.all([openapi, docs]), ([openapi, docs]) => ({
  "/openapi.json": () => openapi,
  "/docs": () => docs,
  "/metrics": () => metrics
}))
