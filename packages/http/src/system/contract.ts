import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CacheControl } from "../contract/CacheControl.ts"
import { Unavailable } from "../contract/ErrorEnvelope.ts"
import { Open } from "../contract/Security.ts"

const Jwk = Schema.Struct({
  kty: Schema.Literal("EC"),
  crv: Schema.Literal("P-256"),
  x: Schema.String,
  y: Schema.String,
  kid: Schema.String,
  alg: Schema.Literal("ES256"),
  use: Schema.Literal("sig")
})

const Health = Schema.Struct({ status: Schema.Literal("ok") })

/** Endpoints for machines: health checks and signing keys. */
export class SystemApi extends HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("healthz", "/healthz", { success: Health }),
    HttpApiEndpoint.get("readyz", "/readyz", { success: Health, error: [Unavailable] }),
    HttpApiEndpoint.get("jwks", "/.well-known/jwks.json", { success: Schema.Struct({ keys: Schema.Array(Jwk) }) })
      // A new key signs immediately. Verifiers fetch the set again when they meet an unknown key.
      .annotate(CacheControl, "public, max-age=300")
  )
  .middleware(Open)
  .annotateMerge(
    OpenApi.annotations({
      title: "System",
      description: "Health checks, and the public keys that tokens are signed with."
    })
  ) {}
