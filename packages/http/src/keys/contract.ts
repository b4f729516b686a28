import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { bodyOptional } from "../contract/BodyOptional.ts"
import { describe } from "../contract/describe.ts"
import { Forbidden, NotFound } from "../contract/ErrorEnvelope.ts"
import { listOf, optional, Timestamp } from "../contract/Field.ts"
import { OwnerFresh, Viewer } from "../contract/Security.ts"

const KeyType = Schema.Literals(["SERVER", "PUBLIC"])
const Scopes = Schema.Array(Schema.Literals(["auth", "leads", "dashboard"]))

const key = {
  id: Schema.String.annotate({ description: "The client id or the public key" }),
  type: KeyType,
  scopes: Scopes.annotate({ description: "What a server key may call; a public key has none" }),
  name: Schema.NullOr(Schema.String),
  createdAt: Timestamp,
  lastUsedAt: Schema.NullOr(Timestamp.annotate({ description: "The hour of its last use" })),
  retiringAt: Schema.NullOr(Timestamp.annotate({ description: "When the secrets before the newest stop working" })),
  clientId: Schema.NullOr(Schema.String.annotate({ description: "Of a server key" })),
  publicKey: Schema.NullOr(Schema.String.annotate({ description: "Of a public key" }))
}

export const KeyAnswer = Schema.Struct(key).annotate({ identifier: "Key" })

const withSecret = {
  ...key,
  clientSecret: Schema.NullOr(
    Schema.String.annotate({ description: "Shown here and never again; a public key has none" })
  )
}

export const NewKeyPayload = Schema.Struct({
  type: KeyType,
  scopes: optional(Scopes.annotate({ description: "All of them, if they are left out" })),
  name: optional(Schema.String.annotate({ description: "At most 60 characters, for people", examples: ["billing"] }))
}).annotate({ identifier: "NewKeyRequest" })

export const NewKeyAnswer = Schema.Struct(withSecret).annotate({ identifier: "NewKey", httpApiStatus: 201 })

export const RollKeyPayload = Schema.Struct({
  overlapHours: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 168 })).annotate({
      description: "How long the secret before works on; 24, if it is left out. 0 ends all older secrets at once"
    })
  )
}).annotate({ identifier: "RollKeyRequest" })

export const RolledKeyAnswer = Schema.Struct(withSecret).annotate({ identifier: "RolledKey" })

const id = { id: Schema.String }
/** The keys of one environment. A change holds in every process within 5 seconds. */
export class KeyApi extends HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.get("list", "/keys", {
      success: listOf(KeyAnswer),
      error: answers.read
    })
      .middleware(Viewer)
      .annotateMerge(describe("List keys", "The oldest first, without their secrets. There are at most 100.")),
    HttpApiEndpoint.post("create", "/keys", {
      payload: NewKeyPayload,
      success: NewKeyAnswer,
      error: answers.post
    })
      .middleware(OwnerFresh)
      .annotateMerge(describe("Make a key", "Keep the `clientSecret`: it is shown here and never again.")),
    HttpApiEndpoint.post("roll", "/keys/:id/roll", {
      params: id,
      payload: RollKeyPayload,
      success: RolledKeyAnswer,
      error: [...answers.post, NotFound]
    })
      .middleware(OwnerFresh)
      .annotateMerge(bodyOptional)
      .annotateMerge(
        describe("Give a server key a new secret", "Its client id stays. The secret before works for the overlap.")
      ),
    HttpApiEndpoint.delete("revoke", "/keys/:id", {
      params: id,
      success: HttpApiSchema.NoContent,
      error: [...answers.lookup, Forbidden]
    })
      .middleware(OwnerFresh)
      .annotateMerge(
        describe(
          "Revoke a key",
          "For good, with all its secrets and the session tokens it made. The last one with the scope `dashboard` stays."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Keys",
      description: "Client secrets and public keys: made, rolled and revoked."
    })
  ) {}
