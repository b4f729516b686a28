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
  at: Timestamp.annotate({ description: "The start of the day" }),
  started: Count.annotate({ description: "Verifications started on this day" }),
  verified: Count,
  sent: Schema.Record(Schema.String, Count).annotate({
    description: "Messages that a provider accepted, by channel",
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
    JsonObject.annotate({
      description: "All prices, in the format of the setting `prices`. They replace the current ones"
    })
  ),
  creditLimit: optional(
    Schema.Int.annotate({ description: "How far below zero the balance may go: 0 to 1000000000000" })
  )
}).annotate({ identifier: "MerchantBillingRequest" })

export const CorrectionPayload = Schema.Struct({
  environment,
  amount: Schema.Int.annotate({ description: "A negative amount lowers the balance" }),
  reason: text({ minLength: 1, maxLength: 100 }).annotate({
    description: "The reason, which the merchant sees in the ledger"
  })
}).annotate({ identifier: "CorrectionRequest" })

const id = { id: Schema.String }

/** The operator's endpoints. Without a configured admin token they answer 404. */
export class AdminApi extends HttpApiGroup.make("admin")
  .add(
    HttpApiEndpoint.post("createMerchant", "/merchants", {
      payload: Schema.Struct({
        name: Schema.String,
        ownerEmail: optional(
          Schema.String.annotate({ description: "Creates an owner with this address and a sign-in link for them" })
        )
      }),
      success: NewMerchantAnswer,
      error: answers.post
    }).annotateMerge(
      OpenApi.annotations({ description: "The client secrets and the owner's link are returned only here." })
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
    }).annotateMerge(OpenApi.annotations({ description: "Messages show the setting `brand`, which does not change." })),
    HttpApiEndpoint.get("merchantUsage", "/merchants/:id/usage", {
      params: id,
      query: {
        from: Schema.optionalKey(
          Timestamp.annotate({ description: "Start of the range (inclusive). Default: 30 days before `to`" })
        ),
        to: Schema.optionalKey(Timestamp.annotate({ description: "End of the range (exclusive). Default: now" })),
        tz: Schema.optionalKey(
          Schema.String.annotate({ description: "The time zone that days are counted in", examples: ["Asia/Kolkata"] })
        )
      },
      success: listOf(UsageAnswer),
      error: [BadRequest, ...answers.lookup]
    }).annotateMerge(
      OpenApi.annotations({ description: "Usage by day, live before test. Days without usage are left out." })
    ),
    HttpApiEndpoint.get("merchantAudit", "/merchants/:id/audit", {
      params: id,
      query: auditQuery,
      success: listOf(AuditAnswer),
      error: [BadRequest, ...answers.lookup]
    }).annotateMerge(
      OpenApi.annotations({ description: "The audit log of this merchant for the last year, newest first." })
    ),
    HttpApiEndpoint.get("merchantBilling", "/merchants/:id/billing", {
      params: id,
      success: listOf(MerchantBillingAnswer),
      error: answers.lookup
    }).annotateMerge(
      OpenApi.annotations({ description: "A merchant's billing settings and balances, live before test." })
    ),
    HttpApiEndpoint.patch("changeMerchantBilling", "/merchants/:id/billing", {
      params: id,
      payload: BillingPayload,
      success: MerchantBillingAnswer,
      error: [...answers.change, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        description: "Send only the fields to change. The change takes effect within 5 seconds in every process."
      })
    ),
    HttpApiEndpoint.post("topUpMerchant", "/merchants/:id/top-ups", {
      params: id,
      payload: Schema.Struct({ environment, ...topUp }).annotate({ identifier: "MerchantTopUpRequest" }),
      success: MovedAnswer,
      error: [...answers.post, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        description:
          "Repeating a `reference` has no effect and returns the first ledger entry. Without a `reference`, the `Idempotency-Key` is used as the reference."
      })
    ),
    HttpApiEndpoint.post("correctMerchant", "/merchants/:id/corrections", {
      params: id,
      payload: CorrectionPayload,
      success: MovedAnswer,
      error: [...answers.post, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        description: "A correction cannot take more than the available balance, including credit."
      })
    ),
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
      description: "For the operator: create, suspend, price and top up merchants. Requires the admin token."
    })
  ) {}
