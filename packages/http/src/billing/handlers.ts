import { Billing, type Caller, Identifier, Instant } from "@countersign/core"
import type { BalanceStore } from "@countersign/core/storage"
import { Effect, Stream } from "effect"
import { HttpApiSchema } from "effect/http-api"
import type { Handlers } from "../Handlers.ts"
import { type BillingApi, type LedgerEntryAnswer, ledgerColumns, type LedgerQuery } from "./contract.ts"
import { csvLine, prefersCsv } from "./csv.ts"
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

const lineOf = (entry: BalanceStore.LedgerEntry): string => {
  const shown = shownEntry(entry)
  return csvLine(ledgerColumns.map((column) => shown[column]))
}

/** The ledger as CSV bytes, one chunk per page. */
const csvOf = (entries: Stream.Stream<BalanceStore.LedgerEntry, unknown>): Stream.Stream<Uint8Array, unknown> =>
  Stream.make(csvLine(ledgerColumns)).pipe(
    Stream.concat(Stream.mapArray(entries, (page) => [page.map(lineOf).join("")] as const)),
    Stream.encodeText
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
  const { balance, ledgerPage, topUp } = over(billing)
  const file = (caller: Caller, query: typeof LedgerQuery.Type) =>
    Effect.map(billing.wholeLedger(caller, query), (entries) =>
      HttpApiSchema.withHeaders({
        body: csvOf(entries),
        headers: {
          "content-type": "text/csv; charset=utf-8; header=present",
          "content-disposition": `attachment; filename="ledger-${caller.kind}.csv"`,
          "x-content-type-options": "nosniff" as const
        }
      })
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
