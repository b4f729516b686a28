import { assert, describe, it } from "vitest"
import { refused } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import type { Once } from "./Once.ts"

const endpoints = [
  "post /v1/auth/initiate",
  "post /v1/auth/verify",
  "get /v1/auth/status",
  "post /v1/auth/verify-code",
  "post /v1/auth/token",
  "post /v1/sdk/session",
  "post /v1/sdk/auth/initiate",
  "post /v1/sdk/auth/verify",
  "post /v1/sdk/auth/truecaller",
  "post /v1/sdk/auth/verify-number/{verifier}",
  "get /v1/sdk/auth/status",
  "get /v1/dashboard/devices",
  "delete /v1/dashboard/devices/{id}",
  "get /v1/dashboard/keys",
  "post /v1/dashboard/keys",
  "post /v1/dashboard/keys/{id}/roll",
  "delete /v1/dashboard/keys/{id}",
  "get /v1/dashboard/settings",
  "patch /v1/dashboard/settings",
  "get /v1/dashboard/events",
  "get /v1/admin/merchants",
  "post /v1/admin/merchants",
  "get /v1/admin/merchants/{id}",
  "post /v1/admin/merchants/{id}/suspend",
  "post /v1/admin/merchants/{id}/resume",
  "get /healthz",
  "get /readyz",
  "get /.well-known/jwks.json"
]

/** The endpoints for machines and for readers of the documentation. */
export const suite = (service: () => Service, once: Once) =>
  describe("the system endpoints", () => {
    it("report health and readiness", async () => {
      for (const path of ["/healthz", "/readyz"]) {
        for (const query of ["", "?x=1"]) {
          const { body, status } = await service().send({ path: path + query })
          assert.strictEqual(status, 200)
          assert.deepStrictEqual(body, { status: "ok" })
        }
      }
    })

    once("count requests for Prometheus", async () => {
      const client = await service().client()
      for (let i = 0; i < 10; i++) await client.initiate({ otpLength: 0 })
      const { headers, text } = await service().send({ path: "/metrics" })
      assert.match(headers["content-type"] ?? "", /^text\/plain/)
      const line = /^countersign_http_requests_total\{.*route="POST \/v1\/auth\/initiate".*\} ([0-9]+)$/m
      assert.match(text, line)
      for (const row of text.split("\n")) assert.match(row, /^(#.*|[a-z_]+(\{.*\})? [-+0-9.eInfNa]+)?$/)
      assert.notInclude(text, client.keys.clientSecret)
    })

    once("describe every endpoint in OpenAPI, with its errors", async () => {
      const { body, status } = await service().send({ path: "/openapi.json" })
      assert.strictEqual(status, 200)
      assert.match(body.openapi, /^3\.1\./)
      const described = Object.entries<any>(body.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method} ${path}`)
      )
      assert.includeMembers(described, endpoints)
      for (const [path, methods] of Object.entries<any>(body.paths)) {
        for (const [method, operation] of Object.entries<any>(methods)) {
          const codes = Object.keys(operation.responses)
          const what = `${method} ${path}: ${codes.join()}`
          if (path.startsWith("/v1/")) assert.include(codes, "500", what)
          // credentials.ts tests which credentials each needs.
          if (operation.security?.length > 0) assert.include(codes, "401", what)
          if (path.startsWith("/v1/sdk/auth")) assert.include(codes, "403", what)
          if (method === "post") assert.includeMembers(codes, ["400", "409"], what)
          if (operation.requestBody !== undefined) assert.includeMembers(codes, ["400", "413"], what)
          for (const status of codes.filter((one) => one >= "400")) {
            assert.property(operation.responses[status].content, "application/json", what)
          }
        }
      }
    })

    once("serve the API reference without loading anything from another host", async () => {
      const { headers, status, text } = await service().send({ path: "/docs" })
      assert.strictEqual(status, 200)
      assert.match(headers["content-type"] ?? "", /^text\/html/)
      assert.notMatch(text, /<(script|link|img|iframe)[^>]+(src|href)="(https?:)?\/\//)
      assert.include(text, "/v1/auth/initiate")
    })

    it("show messages only in development", async () => {
      const outbox = await service().send({ path: "/dev/outbox" })
      if (service().mode === "embedded") assert.strictEqual(outbox.status, 200)
      else refused(outbox, "NOT_FOUND")
    })
  })
