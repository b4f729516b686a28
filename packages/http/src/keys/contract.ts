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
  lastUsedAt: Schema.NullOr(Timestamp.annotate({ description: "The last use, rounded down to the hour" })),
  retiringAt: Schema.NullOr(Timestamp.annotate({ description: "When all secrets except the newest stop working" })),
  clientId: Schema.NullOr(Schema.String.annotate({ description: "Null for a public key" })),
  publicKey: Schema.NullOr(Schema.String.annotate({ description: "Null for a server key" }))
}

export const KeyAnswer = Schema.Struct(key).annotate({ identifier: "Key" })

const withSecret = {
  ...key,
  clientSecret: Schema.NullOr(Schema.String.annotate({ description: "Returned only here. Null for a public key" }))
}

export const NewKeyPayload = Schema.Struct({
  type: KeyType,
  scopes: optional(Scopes.annotate({ description: "Default: all scopes" })),
  name: optional(
    Schema.String.annotate({
      description: "A name to recognise the key by, at most 60 characters",
      examples: ["billing"]
    })
  )
}).annotate({ identifier: "NewKeyRequest" })

export const NewKeyAnswer = Schema.Struct(withSecret).annotate({ identifier: "NewKey", httpApiStatus: 201 })

export const RollKeyPayload = Schema.Struct({
  overlapHours: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 168 })).annotate({
      description:
        "How many hours the previous secret stays valid. Default: 24. 0 revokes all older secrets immediately"
    })
  )
}).annotate({ identifier: "RollKeyRequest" })

export const RolledKeyAnswer = Schema.Struct(withSecret).annotate({ identifier: "RolledKey" })

const id = { id: Schema.String }
/** The keys of one environment. A change takes effect within 5 seconds in every process. */
export class KeyApi extends HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.get("list", "/keys", {
      success: listOf(KeyAnswer),
      error: answers.read
    })
      .middleware(Viewer)
      .annotateMerge(describe("List keys", "Oldest first, without secrets. There are at most 100.")),
    HttpApiEndpoint.post("create", "/keys", {
      payload: NewKeyPayload,
      success: NewKeyAnswer,
      error: answers.post
    })
      .middleware(OwnerFresh)
      .annotateMerge(describe("Create a key", "Store the `clientSecret`: it is returned only here.")),
    HttpApiEndpoint.post("roll", "/keys/:id/roll", {
      params: id,
      payload: RollKeyPayload,
      success: RolledKeyAnswer,
      error: [...answers.post, NotFound]
    })
      .middleware(OwnerFresh)
      .annotateMerge(bodyOptional)
      .annotateMerge(
        describe(
          "Roll a server key",
          "Creates a new secret. The client id stays. The previous secret works for `overlapHours`."
        )
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
          "Permanently revokes the key, all its secrets and the session tokens that it created. The last key with the scope `dashboard` cannot be revoked."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Keys",
      description: "Create, roll and revoke server keys and public keys."
    })
  ) {}
