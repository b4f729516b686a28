import { Billing, type Caller, Identifier, Instant } from "@countersign/core"
import type { BalanceStore } from "@countersign/core/storage"
import { Effect, Stream } from "effect"
import type { Handlers } from "../Handlers.ts"
import { type BillingApi, type LedgerEntryAnswer, ledgerColumns, type LedgerQuery } from "./contract.ts"
import { prefersCsv } from "../csv/csv.ts"
import { csvFile } from "../csv/csvFile.ts"
import { makeExports } from "../csv/makeExports.ts"
import type { errors } from "./errors.ts"

const pageSize = 50

/** An entry in the form of the contract. */
export const shownEntry = (entry: BalanceStore.LedgerEntry): typeof LedgerEntryAnswer.Type => {
  const { amount, at, balance, channel, kind, number, reference } = entry
  const isSend = kind === "SEND" || kind === "REFUND"
  return {
    id: number,
    amount,
    balance,
    kind,
    channel,
    requestId: isSend && reference !== null && Identifier.is("ver", reference) ? reference : null,
    reference,
    createdAt: Instant.toIso(at)
  }
}

const columns = Object.fromEntries(
  ledgerColumns.map((column) => [column, (entry: typeof LedgerEntryAnswer.Type) => entry[column]])
)

/** The billing operations in the form of the contract, for HTTP and for calls in process. */
export const over = (billing: Billing["Service"]) => ({
  balance: billing.balance,
  topUp: (...given: Parameters<typeof billing.topUp>) => Effect.map(billing.topUp(...given), shownEntry),
  ledgerPage: (caller: Caller, query: typeof LedgerQuery.Type) => {
    const { cursor = null, limit = pageSize } = query
    // Request one more, to know whether there is another page.
    return Effect.map(billing.ledger(caller, query, { before: cursor, limit: limit + 1 }), (found) => {
      const items = found.slice(0, limit).map(shownEntry)
      return { items, nextCursor: found.length > limit ? String(items.at(-1)!.id) : null }
    })
  }
})

/** Answers `/v1/dashboard/balance` and `/ledger`. */
export const make = Effect.gen(function* () {
  const billing = yield* Billing
  const exports = yield* makeExports
  const { balance, ledgerPage, topUp } = over(billing)
  const file = (caller: Caller, query: typeof LedgerQuery.Type) =>
    Effect.map(Effect.tap(billing.wholeLedger(caller, query), exports.recorded(caller, "ledger", query)), (entries) =>
      csvFile(
        `ledger-${caller.kind}`,
        columns,
        Stream.mapArray(entries, (page) => [page.map(shownEntry)] as const),
        // A copy of the ledger is for reconciling, so it must be complete.
        Number.POSITIVE_INFINITY
      )
    )
  const handlers: Handlers<typeof BillingApi, typeof errors> = {
    balance: ({ caller }) => balance(caller),
    topUp: ({ caller, idempotencyKey, payload }) => topUp(caller, payload, idempotencyKey),
    statement: ({ caller, query }) =>
      Effect.map(billing.statement(caller, query.month), ({ from, to, ...statement }) => ({
        ...statement,
        from: Instant.toIso(from),
        to: Instant.toIso(to)
      })),
    ledger: ({ accept = null, caller, query }) => (prefersCsv(accept) ? file(caller, query) : ledgerPage(caller, query))
  }
  return handlers
})
