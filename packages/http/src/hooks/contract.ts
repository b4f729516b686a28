import { HookKind } from "@countersign/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { bodyOptional } from "../contract/BodyOptional.ts"
import { describe } from "../contract/describe.ts"
import { BadRequest, NotFound } from "../contract/ErrorEnvelope.ts"
import { Limit, listOf, optional, text, Timestamp } from "../contract/Field.ts"
import { Admin, AdminFresh, Viewer } from "../contract/Security.ts"

const HookId = Schema.String.annotate({ examples: ["hok_01kaj3v9c0q5w8xn2rz7t4m6hd"] })

export const HookAnswer = Schema.Struct({
  id: HookId,
  kind: Schema.Literals(HookKind),
  name: Schema.String.annotate({ examples: ["Sign-in of the shop"] }),
  url: Schema.String.annotate({
    description: "The address that the sign-in system calls",
    examples: ["https://verify.example.com/v1/hooks/supabase-sms/hok_01kaj3v9c0q5w8xn2rz7t4m6hd"]
  }),
  retiringAt: Schema.NullOr(Timestamp).annotate({ description: "When all secrets except the newest end" }),
  createdAt: Timestamp
}).annotate({ identifier: "Hook" })

const secret = Schema.String.annotate({
  description: "Returned only here",
  examples: ["v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="]
})

const ownSecret = optional(
  Schema.String.annotate({
    description: "The secret that the sign-in system made. Without it, the server makes one",
    examples: ["v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="]
  })
)

export const NewHookAnswer = Schema.Struct({ ...HookAnswer.fields, secret }).annotate({
  identifier: "NewHook",
  httpApiStatus: 201
})

export const RotatedHookAnswer = Schema.Struct({ ...HookAnswer.fields, secret }).annotate({ identifier: "RotatedHook" })

export const NewHookPayload = Schema.Struct({
  kind: text({ enum: HookKind }),
  name: Schema.String.annotate({ description: "A name to recognise it by", examples: ["Sign-in of the shop"] }),
  secret: ownSecret
}).annotate({ identifier: "NewHookRequest" })

export const RotateHookPayload = Schema.Struct({
  secret: ownSecret,
  endOthers: optional(
    Schema.Boolean.annotate({
      description: "Ends all older secrets immediately, for example after a leak. Default: false"
    })
  )
}).annotate({ identifier: "RotateHookRequest" })

export const HookRequestAnswer = Schema.Struct({
  id: Schema.String.annotate({ examples: ["hrq_01kaj3v9c0q5w8xn2rz7t4m6hd"] }),
  createdAt: Timestamp,
  outcome: Schema.Literals(["SENT", "REPEATED", "REFUSED", "FAILED", "UNSIGNED"]).annotate({
    description:
      "SENT: a delivery started. REPEATED: an earlier try started it. REFUSED: see `errorCode`. FAILED: a fault of this service. UNSIGNED: no secret of this hook signed it"
  }),
  recipients: Schema.Array(Schema.String).annotate({ description: "Masked", examples: [["+91******3210"]] }),
  purpose: Schema.NullOr(Schema.String).annotate({ description: "What the sign-in system sends the code for" }),
  deliveries: Schema.Array(
    Schema.Struct({
      id: Schema.String.annotate({ examples: ["ver_01kaj3v9c0q5w8xn2rz7t4m6hd"] }),
      deliveryStatus: Schema.NullOr(Schema.String).annotate({
        description: "The current status. Null for a delivery that was deleted"
      })
    })
  ),
  errorCode: Schema.NullOr(Schema.String),
  problem: Schema.NullOr(Schema.String).annotate({ description: "Why nothing was sent, in a sentence" })
}).annotate({ identifier: "HookRequest" })

const id = { id: HookId }

/** The hooks of sign-in systems whose codes this service sends. */
export class HookApi extends HttpApiGroup.make("hooks")
  .add(
    HttpApiEndpoint.get("list", "/hooks", { success: listOf(HookAnswer), error: answers.read })
      .middleware(Viewer)
      .annotateMerge(describe("List hooks", "Oldest first. There are at most 50.")),
    HttpApiEndpoint.post("create", "/hooks", {
      payload: NewHookPayload,
      success: NewHookAnswer,
      error: answers.post
    })
      .middleware(AdminFresh)
      .annotateMerge(
        describe(
          "Create a hook",
          "Enter `url` and `secret` in the sign-in system. Store the `secret`: it is returned only here."
        )
      ),
    HttpApiEndpoint.delete("delete", "/hooks/:id", {
      params: id,
      success: HttpApiSchema.NoContent,
      error: answers.lookup
    }).middleware(Admin),
    HttpApiEndpoint.post("rotateSecret", "/hooks/:id/rotate-secret", {
      params: id,
      payload: RotateHookPayload,
      success: RotatedHookAnswer,
      error: [...answers.post, NotFound]
    })
      .middleware(AdminFresh)
      .annotateMerge(bodyOptional)
      .annotateMerge(
        describe(
          "Rotate the secret",
          "For 24 hours, requests signed with the old secret are accepted too. At most 4 secrets are valid at the same time. `endOthers` ends all older ones immediately."
        )
      ),
    HttpApiEndpoint.get("requests", "/hooks/:id/requests", {
      params: id,
      query: { cursor: Schema.optionalKey(Schema.String), limit: Schema.optionalKey(Limit) },
      success: listOf(HookRequestAnswer),
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "List requests",
          "What came in at the hook and its outcome, newest first: the last 500 signed requests of 30 days, and the last 50 unsigned ones. It has no codes."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Hooks",
      description:
        "Receivers of sign-in systems that make their own codes: Supabase, Zitadel, Kratos, Auth0 and others."
    })
  ) {}
