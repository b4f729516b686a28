import { Billing } from "@countersign/core"
import { type Effect, Schema } from "effect"
import {
  type BalanceAnswer,
  type LedgerAnswer,
  type LedgerEntryAnswer,
  LedgerQuery,
  TopUpPayload
} from "./billing/contract.ts"
import { Limit } from "./contract/Field.ts"
import * as billingHandlers from "./billing/handlers.ts"
import type { CallHandler } from "./InboxMethods.ts"

const ledgerQuery = Schema.Struct({ ...LedgerQuery.fields, limit: Schema.optionalKey(Schema.toType(Limit)) })

/** The environment's money: `/v1/dashboard/balance` and `/v1/dashboard/ledger`. */
export interface BillingMethods {
  /** What there is to spend, and what today cost. */
  readonly balance: () => Promise<typeof BalanceAnswer.Type>
  /** Pays in: a `reference` once, however often. `idempotencyKey` stands for it where there is none. */
  readonly topUp: (
    request: typeof TopUpPayload.Type,
    options?: { readonly idempotencyKey?: string }
  ) => Promise<typeof LedgerEntryAnswer.Type>
  /** Every amount that moved, the newest first, a page at a time. */
  readonly ledger: (query?: typeof ledgerQuery.Encoded) => Promise<typeof LedgerAnswer.Type>
}

/** What each method runs. */
export const handlers = Billing

const nothing = Schema.Struct({})

/** Money as methods that answer promises. */
export const makeBillingMethods = (billing: Effect.Success<typeof handlers>, call: CallHandler): BillingMethods => {
  const { balance, ledgerPage, topUp } = billingHandlers.over(billing)
  return {
    balance: () => call(nothing, {}, (_, caller) => balance(caller)),
    topUp: (request, { idempotencyKey = null }: { readonly idempotencyKey?: string | null } = {}) =>
      call(TopUpPayload, request, (payload, caller) => topUp(caller, payload, idempotencyKey)),
    ledger: (query = {}) => call(ledgerQuery, query, (query, caller) => ledgerPage(caller, query))
  }
}
