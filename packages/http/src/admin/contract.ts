import { SettingsFields } from "@countersign/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { InvitationAnswer } from "../agents/contract.ts"
import { AuditAnswer, auditQuery } from "../audit/contract.ts"
import { balance, MovedAnswer, topUp } from "../billing/contract.ts"
import * as answers from "../contract/answers.ts"
import { BadRequest, NotFound } from "../contract/ErrorEnvelope.ts"
import { JsonObject, listOf, optional, text, Timestamp } from "../contract/Field.ts"
import { AdminToken } from "../contract/Security.ts"

export const MerchantAnswer = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  status: Schema.Literals(["ACTIVE", "SUSPENDED"]),
  createdAt: Timestamp
}).annotate({ identifier: "Merchant" })

const NewKeys = Schema.Struct({ clientId: Schema.String, clientSecret: Schema.String, publicKey: Schema.String })
const KnownKeys = Schema.Struct({ clientIds: Schema.Array(Schema.String), publicKeys: Schema.Array(Schema.String) })

export const NewMerchantAnswer = Schema.Struct({
  ...MerchantAnswer.fields,
  live: NewKeys,
  test: NewKeys,
  ownerInvitation: Schema.NullOr(InvitationAnswer)
}).annotate({
  identifier: "NewMerchant",
  httpApiStatus: 201
})

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

export const UsageAnswer = Schema.Struct({
  environment: Schema.Literals(["live", "test"]),
  at: Timestamp.annotate({ description: "The day's midnight" }),
  started: Count.annotate({ description: "Verifications that were started" }),
  verified: Count,
  sent: Schema.Record(Schema.String, Count).annotate({
    description: "Messages that a provider took, by channel",
    examples: [{ SMS: 120, WHATSAPP: 7 }]
  })
}).annotate({ identifier: "MerchantUsage" })

const environment = Schema.Literals(["live", "test"])

export const MerchantBillingAnswer = Schema.Struct({
  environment,
  billing: SettingsFields.billing,
  prices: SettingsFields.prices,
  ...balance
}).annotate({ identifier: "MerchantBilling" })

export const BillingPayload = Schema.Struct({
  environment,
  billing: optional(SettingsFields.billing),
  prices: optional(
    JsonObject.annotate({ description: "As the setting `prices`: all of them, in place of those before" })
  ),
  creditLimit: optional(
    Schema.Int.annotate({ description: "How far below zero sends may take the balance: 0 to 1000000000000" })
  )
}).annotate({ identifier: "MerchantBillingRequest" })

export const CorrectionPayload = Schema.Struct({
  environment,
  amount: Schema.Int.annotate({ description: "Below zero for what is taken" }),
  reason: text({ minLength: 1, maxLength: 100 }).annotate({ description: "Why; the merchant reads it in the ledger" })
}).annotate({ identifier: "CorrectionRequest" })

const id = { id: Schema.String }

/** The operator's endpoints. Without a configured admin token they do not exist. */
export class AdminApi extends HttpApiGroup.make("admin")
  .add(
    HttpApiEndpoint.post("createMerchant", "/merchants", {
      payload: Schema.Struct({
        name: Schema.String,
        ownerEmail: optional(
          Schema.String.annotate({ description: "Makes an owner with this address, and a link for them" })
        )
      }),
      success: NewMerchantAnswer,
      error: answers.post
    }).annotateMerge(
      OpenApi.annotations({ description: "The client secrets and the owner's link are shown here and never again." })
    ),
    HttpApiEndpoint.get("merchants", "/merchants", {
      query: { cursor: Schema.optionalKey(Schema.String) },
      success: listOf(MerchantAnswer),
      error: answers.search
    }),
    HttpApiEndpoint.get("merchant", "/merchants/:id", {
      params: id,
      success: Schema.Struct({ ...MerchantAnswer.fields, live: KnownKeys, test: KnownKeys }),
      error: answers.lookup
    }),
    HttpApiEndpoint.patch("renameMerchant", "/merchants/:id", {
      params: id,
      payload: Schema.Struct({ name: Schema.String }),
      success: MerchantAnswer,
      error: [...answers.change, NotFound]
    }).annotateMerge(
      OpenApi.annotations({ description: "What messages call the merchant is its setting `brand`, which stays." })
    ),
    HttpApiEndpoint.get("merchantUsage", "/merchants/:id/usage", {
      params: id,
      query: {
        from: Schema.optionalKey(
          Timestamp.annotate({ description: "The beginning; 30 days before when it is absent" })
        ),
        to: Schema.optionalKey(
          Timestamp.annotate({ description: "The end, which is not in it; now when it is absent" })
        ),
        tz: Schema.optionalKey(Schema.String.annotate({ description: "Whose days", examples: ["Asia/Kolkata"] }))
      },
      success: listOf(UsageAnswer),
      error: [BadRequest, ...answers.lookup]
    }).annotateMerge(
      OpenApi.annotations({ description: "Day by day, live before test. Days without any use are left out." })
    ),
    HttpApiEndpoint.get("merchantAudit", "/merchants/:id/audit", {
      params: id,
      query: auditQuery,
      success: listOf(AuditAnswer),
      error: [BadRequest, ...answers.lookup]
    }).annotateMerge(
      OpenApi.annotations({ description: "Who did what for this merchant: newest first, of the last year." })
    ),
    HttpApiEndpoint.get("merchantBilling", "/merchants/:id/billing", {
      params: id,
      success: listOf(MerchantBillingAnswer),
      error: answers.lookup
    }).annotateMerge(
      OpenApi.annotations({ description: "How a merchant is billed, and what it has: live before test." })
    ),
    HttpApiEndpoint.patch("changeMerchantBilling", "/merchants/:id/billing", {
      params: id,
      payload: BillingPayload,
      success: MerchantBillingAnswer,
      error: [...answers.change, NotFound]
    }).annotateMerge(
      OpenApi.annotations({ description: "Send only what changes. Every process knows it within 5 seconds." })
    ),
    HttpApiEndpoint.post("topUpMerchant", "/merchants/:id/top-ups", {
      params: id,
      payload: Schema.Struct({ environment, ...topUp }).annotate({ identifier: "MerchantTopUpRequest" }),
      success: MovedAnswer,
      error: [...answers.post, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        description:
          "A `reference` that was paid in before moves nothing, and is answered with the entry of then. Without one the `Idempotency-Key` is the reference."
      })
    ),
    HttpApiEndpoint.post("correctMerchant", "/merchants/:id/corrections", {
      params: id,
      payload: CorrectionPayload,
      success: MovedAnswer,
      error: [...answers.post, NotFound]
    }).annotateMerge(OpenApi.annotations({ description: "It takes no more than there is, the credit included." })),
    HttpApiEndpoint.post("suspend", "/merchants/:id/suspend", {
      params: id,
      success: MerchantAnswer,
      error: [...answers.command, NotFound]
    }),
    HttpApiEndpoint.post("resume", "/merchants/:id/resume", {
      params: id,
      success: MerchantAnswer,
      error: [...answers.command, NotFound]
    })
  )
  .prefix("/v1/admin")
  .middleware(AdminToken)
  .annotateMerge(
    OpenApi.annotations({
      title: "Operator",
      description:
        "Whoever runs the service looks after its merchants: makes, suspends, prices and pays in. It needs the operator's token."
    })
  ) {}
