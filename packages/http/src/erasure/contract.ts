import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { optional, text, Timestamp } from "../contract/Field.ts"
import { Admin, AdminFresh, Viewer } from "../contract/Security.ts"

const erasureId = Schema.String.annotate({ examples: ["ers_01kaj3v9c0q5w8xn2rz7t4m6hd"] })

export const ErasePayload = Schema.Struct({
  identity: Schema.String.annotate({
    description: "A phone number or an e-mail address, in any spelling",
    examples: ["+919876543210"]
  }),
  identityType: optional(
    text({ enum: ["MOBILE", "EMAIL"] }).annotate({
      description: "Default: EMAIL if the identity contains `@`, otherwise MOBILE"
    })
  )
}).annotate({ identifier: "EraseRequest" })

export const BegunAnswer = Schema.Struct({ erasureId }).annotate({ identifier: "BegunErasure", httpApiStatus: 202 })

export const ErasureAnswer = Schema.Struct({
  id: erasureId,
  status: Schema.Literals(["RUNNING", "DONE"]),
  startedAt: Timestamp,
  finishedAt: Schema.NullOr(Timestamp),
  removed: Schema.Struct({
    verifications: Schema.Int,
    devices: Schema.Int,
    leads: Schema.Int,
    messages: Schema.Int
  }).annotate({ description: "The number of erased records so far" })
}).annotate({ identifier: "Erasure" })

export const UnlockPayload = Schema.Struct({
  identity: Schema.String.annotate({ examples: ["+919876543210"] }),
  identityType: optional(
    Schema.Literals(["MOBILE", "EMAIL"]).annotate({
      description: "Default: EMAIL if the identity contains `@`, otherwise MOBILE"
    })
  )
}).annotate({ identifier: "UnlockRequest" })

export const UnlockAnswer = Schema.Struct({
  unlocked: Schema.Boolean.annotate({ description: "False if no wrong codes were counted" })
}).annotate({ identifier: "Unlock" })

/** Actions on one end user. */
export class IdentityApi extends HttpApiGroup.make("identities")
  .add(
    HttpApiEndpoint.post("unlock", "/unlock", {
      payload: UnlockPayload,
      success: UnlockAnswer,
      error: answers.post
    })
      .middleware(Admin)
      .annotateMerge(
        OpenApi.annotations({
          description:
            "Lets an identity that `maxConsecutiveFailures` locked request codes again. The hourly limit does not change."
        })
      ),
    HttpApiEndpoint.post("erase", "/erase", { payload: ErasePayload, success: BegunAnswer, error: answers.post })
      .middleware(AdminFresh)
      .annotateMerge(
        describe(
          "Erase an identity",
          "Runs in the background. Erases verifications, devices, leads with their conversations, and attribution, in every spelling of the identity. Events stay, with masked identities. Data created afterwards also stays."
        )
      ),
    HttpApiEndpoint.get("erasure", "/erasures/:id", {
      params: { id: Schema.String },
      success: ErasureAnswer,
      error: answers.lookup
    })
      .middleware(Viewer)
      .annotateMerge(describe("Read an erasure's progress", "The answer does not contain the identity.")),
    HttpApiEndpoint.get("export", "/export", {
      query: { identity: Schema.String },
      success: HttpApiSchema.WithHeaders(HttpApiSchema.StreamUint8Array({ contentType: "application/x-ndjson" }), {
        "content-type": Schema.String,
        "content-disposition": Schema.String,
        "x-content-type-options": Schema.Literal("nosniff")
      }),
      error: answers.search
    })
      .middleware(AdminFresh)
      .annotateMerge(
        describe(
          "Export an identity",
          "One JSON object per line, with a `kind`: `person` first, then `verification`, `launch`, `device`, `limits`, `optOut`, `recipient`, `lead`, `message`, `history`, `event`. The last line has the kind `end`. Without it, the file is incomplete."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Identities",
      description: "Unlock, export or erase the data of one end user."
    })
  ) {}
