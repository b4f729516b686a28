import { BilledBy, StatementUse } from "@countersign/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CsvFile } from "../csv/contract.ts"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { Limit, listOf, optional, text, Timestamp, WholeNumber } from "../contract/Field.ts"
import { OwnerFresh, Viewer } from "../contract/Security.ts"

const Amount = Schema.Int.annotate({ description: "In the smallest unit of the currency" })

/** The balance fields of an answer. */
export const balance = {
  balance: Amount,
  currency: Schema.String.annotate({ examples: ["INR"] }),
  creditLimit: Amount.annotate({ description: "How far below zero the balance may go" }),
  available: Amount.annotate({ description: "The balance plus the credit limit" }),
  low: Schema.Boolean.annotate({ description: "Whether the balance is below the setting `balanceLowAt`" }),
  spentToday: Schema.Array(
    Schema.Struct({
      channel: Schema.String,
      amount: Amount,
      cap: Schema.NullOr(Amount).annotate({ description: "The setting `dailyCap`; null for no limit" })
    })
  ).annotate({ description: "Channels with costs today or with a cap" }),
  day: Schema.String.annotate({
    description: "Today in the time zone of the setting `timeZone`",
    examples: ["2026-11-22"]
  }),
  billedBy: Schema.Literals(BilledBy).annotate({
    description: "Who tops up the balance and sets prices: the merchant's owners or the operator"
  })
}

export const BalanceAnswer = Schema.Struct(balance).annotate({ identifier: "Balance" })

const entry = {
  id: Schema.Int.annotate({ description: "Counted from 1 in each environment, without gaps" }),
  amount: Amount.annotate({ description: "Negative when the balance was charged" }),
  balance: Amount.annotate({ description: "The balance after this entry" }),
  kind: Schema.Literals(["SEND", "REFUND", "TOP_UP", "CORRECTION"]),
  channel: Schema.NullOr(Schema.String),
  requestId: Schema.NullOr(Schema.String).annotate({
    description: "The verification that was charged or refunded"
  }),
  reference: Schema.NullOr(Schema.String).annotate({
    description: "The verification, message, campaign or payment that it was for, or the reason of a correction"
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
      description: "The payment's id. Repeating a top-up with the same id has no effect",
      examples: ["pay_29QQoUBi66xm2f"]
    })
  )
}

export const TopUpPayload = Schema.Struct(topUp).annotate({ identifier: "TopUpRequest" })

export const MovedAnswer = LedgerEntryAnswer.annotate({ identifier: "MovedMoney", httpApiStatus: 201 })

const span = {
  from: Schema.optionalKey(Timestamp.annotate({ description: "Start of the range (inclusive)" })),
  to: Schema.optionalKey(Timestamp.annotate({ description: "End of the range (exclusive)" }))
}

export const LedgerQuery = Schema.Struct({
  cursor: Schema.optionalKey(WholeNumber({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  limit: Schema.optionalKey(Limit),
  ...span
})

export const StatementAnswer = Schema.Struct({
  month: Schema.String.annotate({ examples: ["2026-11"] }),
  from: Timestamp.annotate({ description: "The start of the month in the time zone of the setting `timeZone`" }),
  to: Timestamp.annotate({ description: "The end of the month (exclusive)" }),
  currency: Schema.String.annotate({ examples: ["INR"] }),
  opening: Amount.annotate({ description: "The balance at the start of the month" }),
  closing: Amount.annotate({
    description: "The balance at the end of the month, or now. `opening` and all amounts of `lines` add up to it"
  }),
  lines: Schema.Array(
    Schema.Struct({
      kind: Schema.Literals(["SEND", "REFUND", "TOP_UP", "CORRECTION"]),
      channel: Schema.NullOr(Schema.String),
      use: Schema.NullOr(Schema.Literals(StatementUse)).annotate({
        description: "What a charged or refunded message was for: a code or a link, a campaign, or the inbox"
      }),
      count: Schema.Int.annotate({ description: "Ledger entries in this line" }),
      amount: Amount.annotate({ description: "Negative when the balance was charged" })
    }).annotate({ identifier: "StatementLine" })
  )
}).annotate({ identifier: "Statement" })

const StatementQuery = {
  month: Schema.String.annotate({ description: "In the time zone of the setting `timeZone`", examples: ["2026-11"] })
}

/** The balance and ledger of one environment. */
export class BillingApi extends HttpApiGroup.make("billing")
  .add(
    HttpApiEndpoint.get("balance", "/balance", { success: BalanceAnswer, error: answers.read })
      .middleware(Viewer)
      .annotateMerge(describe("Read the balance", "Includes today's costs by channel.")),
    HttpApiEndpoint.post("topUp", "/balance/top-ups", {
      payload: TopUpPayload,
      success: MovedAnswer,
      error: answers.post
    })
      .middleware(OwnerFresh)
      .annotateMerge(
        describe(
          "Top up the balance",
          "Repeating a `reference` has no effect and returns the first ledger entry. Without a `reference`, the `Idempotency-Key` is used as the reference. Answers 403 when the operator bills."
        )
      ),
    HttpApiEndpoint.get("ledger", "/ledger", {
      query: LedgerQuery.fields,
      success: [LedgerAnswer, CsvFile],
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "List ledger entries",
          "All entries, newest first. With `Accept: text/csv` the answer is a file with the whole range from `from` to `to`, without a limit of rows; `cursor` and `limit` are ignored. The audit log records the export."
        )
      ),
    HttpApiEndpoint.get("statement", "/statement", {
      query: StatementQuery,
      success: StatementAnswer,
      error: answers.search
    })
      .middleware(Viewer)
      .annotateMerge(
        describe(
          "Read the statement of a month",
          "The ledger of a month in sums by kind, channel and use. They add up from the opening to the closing balance."
        )
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Money",
      description: "The balance, top-ups, and a ledger of all costs."
    })
  ) {}
