import { FoundBy, LeadStatus } from "@countersign/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { BadRequest, NotFound, TooMany } from "../contract/ErrorEnvelope.ts"
import { Masked, optional, PersonField, text, Timestamp } from "../contract/Field.ts"
import { Admin, AdminFresh, Viewer, Worker } from "../contract/Security.ts"
import { DeviceAnswer } from "../dashboard/contract.ts"

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

const IdentityKind = Schema.Literals(["MOBILE", "EMAIL"])
const LeadName = Schema.NullOr(
  Schema.String.annotate({ description: "The customer's profile name, masked if it contains a number" })
)

export const FoundPersonAnswer = Schema.Struct({
  person: PersonField,
  identity: Masked,
  identityType: IdentityKind,
  foundBy: Schema.Literals(FoundBy).annotate({
    description:
      "The part of the search that matched: the whole identity, a request id, an order id, the last four digits (ENDING), or a lead's name"
  }),
  name: LeadName,
  leadId: Schema.NullOr(Schema.Int),
  requestId: Schema.NullOr(
    Schema.String.annotate({ description: "The verification that matched, or their newest one" })
  )
}).annotate({ identifier: "FoundPerson" })

export const PersonAnswer = Schema.Struct({
  person: PersonField,
  identity: Masked,
  identityType: IdentityKind,
  country: Schema.NullOr(Schema.String.annotate({ description: "ISO 3166 country code", examples: ["IN"] })),
  locks: Schema.Array(
    Schema.Struct({
      path: Schema.Literals(["SERVER", "SDK"]),
      wrongCodes: Schema.Int.annotate({ description: "The current number of wrong codes in a row" }),
      lockedUntil: Schema.NullOr(
        Timestamp.annotate({ description: "Code requests are refused until then. Null if they are allowed" })
      )
    })
  ).annotate({ description: "One for requests of backends (SERVER) and one for requests of apps (SDK)" }),
  linksPausedUntil: Schema.NullOr(
    Timestamp.annotate({ description: "Sign-in links are refused until then, after wrong numbers on their page" })
  ),
  devices: Schema.Array(DeviceAnswer).annotate({ description: "Trusted devices, most recently used first" }),
  lead: Schema.NullOr(
    Schema.Struct({
      id: Schema.Int,
      name: LeadName,
      status: Schema.Literals(LeadStatus),
      lastMessageAt: Schema.NullOr(Timestamp),
      waitingSince: Schema.NullOr(
        Timestamp.annotate({ description: "Since when the customer waits for a reply. Null if you wrote last" })
      )
    })
  ),
  optOut: Schema.NullOr(
    Schema.Struct({ by: Schema.Literals(["MESSAGE", "PERSON", "PROVIDER"]), at: Timestamp })
  ).annotate({ description: "The opt-out from campaigns. Codes and replies are always sent" })
}).annotate({ identifier: "Person" })

const ofPerson = { params: { person: PersonField } }

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
    HttpApiEndpoint.get("find", "/people", {
      query: { search: Schema.String.annotate({ examples: ["+91 98765 43210", "3210", "order-1042", "Asha"] }) },
      success: Schema.Struct({ items: Schema.Array(FoundPersonAnswer) }).annotate({ identifier: "FoundPeople" }),
      error: [...answers.search, TooMany]
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "Find a person",
          "Finds up to 10 people by a whole phone number or e-mail address in any spelling, the last four digits of a number (last 30 days), a request id, an order id, or the start of a word of a lead's name. Best matches first. Identities are masked."
        )
      ),
    HttpApiEndpoint.get("person", "/people/:person", {
      ...ofPerson,
      success: PersonAnswer,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "Read a person",
          "Locks, trusted devices, conversation and opt-out of a person. Their verifications and refused requests are lists with the filter `person`. After an erasure or the retention period, everything is empty."
        )
      ),
    HttpApiEndpoint.post("unlockPerson", "/people/:person/unlock", {
      ...ofPerson,
      success: UnlockAnswer,
      error: [NotFound, ...answers.command]
    })
      .middleware(Worker)
      .annotateMerge(
        describe(
          "Unlock a person",
          "Same as `POST /v1/dashboard/unlock`, without revealing the identity. The hourly limit does not change."
        )
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
          "One JSON object per line, with a `kind`: `person` first, then `verification`, `launch`, `refusal`, `device`, `limits`, `optOut`, `recipient`, `lead`, `message`, `history`, `event`. The last line has the kind `end`. Without it, the file is incomplete."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Identities",
      description: "Find, read, unlock, export or erase one end user."
    })
  ) {}
