import { BilledBy } from "@countersign/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { Limit, listOf, optional, text, Timestamp, WholeNumber } from "../contract/Field.ts"
import { OwnerFresh, Viewer } from "../contract/Security.ts"

const Amount = Schema.Int.annotate({ description: "In the smallest unit of the currency" })

/** What there is to spend, in an answer. */
export const balance = {
  balance: Amount,
  currency: Schema.String.annotate({ examples: ["INR"] }),
  creditLimit: Amount.annotate({ description: "How far below zero sends may take the balance" }),
  available: Amount.annotate({ description: "What sends may still take" }),
  low: Schema.Boolean.annotate({ description: "Whether the balance is below the setting `balanceLowAt`" }),
  spentToday: Schema.Array(
    Schema.Struct({
      channel: Schema.String,
      amount: Amount,
      cap: Schema.NullOr(Amount).annotate({ description: "The setting `dailyCap`; null for any amount" })
    })
  ).annotate({ description: "Channels that have cost anything today, or have a cap" }),
  day: Schema.String.annotate({ description: "Today in the zone of the setting `timeZone`", examples: ["2026-11-22"] }),
  billedBy: Schema.Literals(BilledBy).annotate({
    description: "Who pays in and sets prices: the merchant's owners, or whoever runs the service"
  })
}

export const BalanceAnswer = Schema.Struct(balance).annotate({ identifier: "Balance" })

const entry = {
  id: Schema.Int.annotate({ description: "1 for an environment's first, and one more for each that follows" }),
  amount: Amount.annotate({ description: "Below zero for what was taken" }),
  balance: Amount.annotate({ description: "What there was after it" }),
  kind: Schema.Literals(["SEND", "REFUND", "TOP_UP", "CORRECTION"]),
  channel: Schema.NullOr(Schema.String),
  requestId: Schema.NullOr(Schema.String).annotate({
    description: "The verification that was sent, or not sent after all"
  }),
  reference: Schema.NullOr(Schema.String).annotate({
    description: "What it was for: a verification, a message, a campaign, a payment, the reason of a correction"
  }),
  createdAt: Timestamp
}

export const LedgerEntryAnswer = Schema.Struct(entry).annotate({ identifier: "LedgerEntry" })

export const LedgerAnswer = listOf(LedgerEntryAnswer)

/** The columns of a ledger as CSV, in their order. */
export const ledgerColumns = Object.keys(entry) as ReadonlyArray<keyof typeof entry>

export const topUp = {
  amount: Schema.Int.annotate({ description: "1 to 1000000000000, in the smallest unit of the currency" }),
  reference: optional(
    text({ minLength: 1, maxLength: 100 }).annotate({
      description: "A payment's id: it is paid in once, however often it is sent",
      examples: ["pay_29QQoUBi66xm2f"]
    })
  )
}

export const TopUpPayload = Schema.Struct(topUp).annotate({ identifier: "TopUpRequest" })

export const MovedAnswer = LedgerEntryAnswer.annotate({ identifier: "MovedMoney", httpApiStatus: 201 })

const span = {
  from: Schema.optionalKey(Timestamp.annotate({ description: "The beginning" })),
  to: Schema.optionalKey(Timestamp.annotate({ description: "The end, which is not in it" }))
}

export const LedgerQuery = Schema.Struct({
  cursor: Schema.optionalKey(WholeNumber({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  limit: Schema.optionalKey(Limit),
  ...span
})

/** The money of one environment. */
export class BillingApi extends HttpApiGroup.make("billing")
  .add(
    HttpApiEndpoint.get("balance", "/balance", { success: BalanceAnswer, error: answers.read })
      .middleware(Viewer)
      .annotateMerge(describe("What there is to spend", "And what today cost so far, by channel.")),
    HttpApiEndpoint.post("topUp", "/balance/top-ups", {
      payload: TopUpPayload,
      success: MovedAnswer,
      error: answers.post
    })
      .middleware(OwnerFresh)
      .annotateMerge(
        describe(
          "Pay in",
          "A `reference` that was paid in before moves nothing, and is answered with the entry of then. Without one the `Idempotency-Key` is the reference. Where the operator bills, it is theirs to do: 403."
        )
      ),
    HttpApiEndpoint.get("ledger", "/ledger", {
      query: LedgerQuery.fields,
      success: [
        LedgerAnswer,
        HttpApiSchema.WithHeaders(HttpApiSchema.StreamUint8Array({ contentType: "text/csv" }), {
          "content-type": Schema.String,
          "content-disposition": Schema.String,
          "x-content-type-options": Schema.Literal("nosniff")
        })
      ],
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "Every amount that moved",
          "Newest first, for ever. With `Accept: text/csv` the whole of what `from` and `to` ask for as a file, in which `cursor` and `limit` mean nothing."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Money",
      description: "The balance, what is paid in, and the ledger of what messages cost."
    })
  ) {}
