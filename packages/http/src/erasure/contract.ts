import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { optional, text, Timestamp } from "../contract/Field.ts"
import { Admin, AdminFresh, Viewer } from "../contract/Security.ts"

const erasureId = Schema.String.annotate({ examples: ["ers_01kaj3v9c0q5w8xn2rz7t4m6hd"] })

export const ErasePayload = Schema.Struct({
  identity: Schema.String.annotate({
    description: "A phone number or an e-mail address, in any of its spellings",
    examples: ["+919876543210"]
  }),
  identityType: optional(
    text({ enum: ["MOBILE", "EMAIL"] }).annotate({ description: "Left out, whatever has an `@` is an e-mail address" })
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
  }).annotate({ description: "What is gone so far" })
}).annotate({ identifier: "Erasure" })

export const UnlockPayload = Schema.Struct({
  identity: Schema.String.annotate({ examples: ["+919876543210"] }),
  identityType: optional(
    Schema.Literals(["MOBILE", "EMAIL"]).annotate({ description: "EMAIL where there is an @, if it is left out" })
  )
}).annotate({ identifier: "UnlockRequest" })

export const UnlockAnswer = Schema.Struct({
  unlocked: Schema.Boolean.annotate({ description: "False where no wrong code counted" })
}).annotate({ identifier: "Unlock" })

/** What concerns one person. */
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
            "Somebody whom `maxConsecutiveFailures` keeps out may ask for codes again. The hourly limit stays as it is."
        })
      ),
    HttpApiEndpoint.post("erase", "/erase", { payload: ErasePayload, success: BegunAnswer, error: answers.post })
      .middleware(AdminFresh)
      .annotateMerge(
        describe(
          "Erase a person",
          "In the background: verifications, devices, leads with their conversations, and what joins them to where they came from, in every spelling. Their events stay, masked. What is begun afterwards stays, too."
        )
      ),
    HttpApiEndpoint.get("erasure", "/erasures/:id", {
      params: { id: Schema.String },
      success: ErasureAnswer,
      error: answers.lookup
    })
      .middleware(Viewer)
      .annotateMerge(describe("How far an erasure is", "It does not say whose data it was.")),
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
          "Export a person",
          "A JSON object in each line, with a `kind`: `person` first, then `verification`, `launch`, `device`, `limits`, `optOut`, `recipient`, `lead`, `message`, `history`, `event`. The last line is of the kind `end`: without it, the file is not whole."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Identities",
      description: "One person: let in again after too many wrong codes, exported, or erased for good."
    })
  ) {}
