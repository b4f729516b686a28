import { Clock, Context, Effect, Layer, Option, Stream } from "effect"
import { AuditStore } from "../audit/AuditStore.ts"
import { checkInstant } from "../../foundation/identity/checkInstant.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { BilledByOperator, BillingRules } from "../merchant/BillingRules.ts"
import type { Settings } from "../merchant/Settings.ts"
import { runsService } from "../../foundation/outbox/AuditEntry.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { BalanceStore } from "./BalanceStore.ts"
import { type BalanceView, balanceViewOf } from "./BalanceView.ts"
import {
  type Account,
  checkCorrection,
  checkCredit,
  checkTopUp,
  corrected,
  correctionDone,
  type CorrectionRequest,
  credited,
  toppedUp,
  type TopUpRequest
} from "./changeBalance.ts"
import { Currency } from "./Currency.ts"
import { dayOf } from "./dayOf.ts"
import { readAround, readLedger } from "./readLedger.ts"
import { type Month, monthOf, noTally, type Statement as MonthlySums, statementOf, tally } from "./statement.ts"

/** Selects a part of a ledger. Times are in ISO 8601. */
export interface LedgerQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

type Moved = Effect.Effect<BalanceStore.LedgerEntry, BilledByOperator | InvalidField | Contended | StoreError>

const entriesAtOnce = 1_000

/**
 * The money of an environment: its balance, its top-ups and its ledger.
 *
 * @example
 * ```ts
 * import { Billing, type Caller } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * // However often it runs, the payment is paid in once.
 * const payIn = Effect.fn(function* (caller: Caller) {
 *   const billing = yield* Billing
 *   yield* billing.topUp(caller, { amount: 50_000, reference: "pay_29QQoUBi66xm2f" }, null)
 *   return (yield* billing.balance(caller)).available
 * })
 * ```
 */
export class Billing extends Context.Service<
  Billing,
  {
    readonly balance: (
      caller: Pick<Billing.Payer, "environment" | "settings">
    ) => Effect.Effect<BalanceView, StoreError>
    /**
     * Tops up the balance. A repeated `reference` moves nothing, at any time and with any amount: the result is the
     * entry of the first top-up. Without a reference, the idempotency key serves as one.
     */
    readonly topUp: (caller: Billing.Payer, request: TopUpRequest, idempotencyKey: string | null) => Moved
    /** A page of ledger entries, newest first. `before` is the number of the last entry on the previous page. */
    readonly ledger: (
      caller: Pick<Billing.Payer, "environment">,
      query: LedgerQuery,
      page: { readonly before: number | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<BalanceStore.LedgerEntry>, InvalidField | StoreError>
    /**
     * The whole ledger, read from storage as the caller consumes it. Entries added in the meantime are not included.
     */
    readonly wholeLedger: (
      caller: Pick<Billing.Payer, "environment">,
      query: LedgerQuery
    ) => Effect.Effect<Stream.Stream<BalanceStore.LedgerEntry, StoreError>, InvalidField>
    /** The statement of a month, such as `2026-11`, in the merchant's time zone. */
    readonly statement: (
      caller: Pick<Billing.Payer, "environment" | "settings">,
      month: string
    ) => Effect.Effect<Billing.Statement, InvalidField | StoreError>
    /** Sets the credit (operator only): how far below zero sends may take the balance. */
    readonly setCredit: (
      payer: Billing.Payer,
      creditLimit: number
    ) => Effect.Effect<void, BilledByOperator | InvalidField | Contended | StoreError>
    /** Corrects the balance (operator only). An idempotency key makes it happen once, as for a top-up. */
    readonly correct: (payer: Billing.Payer, request: CorrectionRequest, idempotencyKey: string | null) => Moved
  }
>()("@countersign/core/billing/Billing") {
  static readonly layer: Layer.Layer<Billing, never, AuditStore | BalanceStore | BillingRules | Currency> =
    Layer.effect(
      Billing,
      Effect.gen(function* () {
        const audit = yield* AuditStore
        const { code: currency } = yield* Currency
        const rules = yield* BillingRules
        const store = yield* BalanceStore

        const fundsOf = Effect.fnUntraced(function* ({
          environment,
          settings
        }: Pick<Billing.Payer, "environment" | "settings">) {
          return yield* store.funds(environment, dayOf(settings, yield* Clock.currentTimeMillis))
        })

        /** The entry of a correction that was made at that moment. */
        const correctionAt = (environment: string, id: string, at: number) =>
          readLedger(store, environment, { from: at, to: at + 1 }, entriesAtOnce).pipe(
            Stream.filter(({ item, kind }) => kind === "CORRECTION" && item === id),
            Stream.runHead,
            Effect.map(Option.getOrNull)
          )

        const topUp = Effect.fnUntraced(function* (payer: Billing.Payer, amount: number, reference: string) {
          // Runs before all checks: a repeat gets the first result, however full the balance is by now.
          const before = yield* store.topUp(payer.environment, reference)
          if (before !== null) return before
          const { balance } = yield* fundsOf(payer)
          const now = yield* Clock.currentTimeMillis
          yield* store.commit(yield* Effect.fromResult(toppedUp(balance, payer, { amount, reference }, now)))
          return (yield* store.topUp(payer.environment, reference))!
        }, untilCommitted)

        const correct = Effect.fnUntraced(function* (payer: Billing.Payer, request: CorrectionRequest, id: string) {
          const { environment, merchantId } = payer
          // Loaded before looking for an earlier try: a concurrent one moves the version.
          const { balance } = yield* fundsOf(payer)
          const filter = { merchantId, environments: [environment], action: correctionDone, targetId: id }
          const [done] = yield* audit.list(filter, { after: null, limit: 1 })
          const at = done?.at ?? (yield* Clock.currentTimeMillis)
          if (done === undefined) {
            yield* store.commit(yield* Effect.fromResult(corrected(balance, payer, { ...request, id }, at)))
          }
          return (yield* correctionAt(environment, id, at))!
        }, untilCommitted)

        /** Merchants never change their own credit or correct their own balance. */
        const operatorOnly = ({ actor }: Billing.Payer) =>
          runsService(actor) ? Effect.void : Effect.fail(new BilledByOperator({ what: "CREDIT" }))

        const spanOf = Effect.fnUntraced(function* ({ from, to }: LedgerQuery) {
          return {
            from: yield* Effect.fromResult(checkInstant("from", from)),
            to: yield* Effect.fromResult(checkInstant("to", to))
          }
        })

        return Billing.of({
          balance: (caller) =>
            Effect.map(Effect.all([fundsOf(caller), rules.billedBy]), ([funds, billedBy]) =>
              balanceViewOf(funds, caller.settings, currency, billedBy)
            ),
          topUp: Effect.fnUntraced(function* (payer, request, idempotencyKey) {
            if (!(yield* rules.mayBill(payer.actor))) return yield* new BilledByOperator({ what: "TOP_UP" })
            const reference = yield* Effect.fromResult(checkTopUp(request))
            const topUpId = Identifier.make("top", yield* Clock.currentTimeMillis)
            return yield* topUp(payer, request.amount, reference ?? idempotencyKey ?? topUpId)
          }),
          ledger: Effect.fnUntraced(function* ({ environment }, query, { before, limit }) {
            const span = yield* spanOf(query)
            const isWhole = span.from === undefined && span.to === undefined
            const entries = readLedger(store, environment, { ...span, before }, isWhole ? limit : entriesAtOnce)
            return yield* Stream.runCollect(Stream.take(entries, limit))
          }),
          wholeLedger: ({ environment }, query) =>
            Effect.map(spanOf(query), (span) => readLedger(store, environment, span, entriesAtOnce)),
          statement: Effect.fnUntraced(function* ({ environment, settings }, month) {
            const span = yield* Effect.fromResult(monthOf(month, settings))
            const entries = readAround(store, environment, span, entriesAtOnce)
            const total = yield* Stream.runFold(
              Stream.chunks(entries),
              () => noTally,
              (before, page) => tally(before, page, span)
            )
            return { ...statementOf(total), ...span, month, currency }
          }),
          setCredit: Effect.fnUntraced(function* (payer, requestedLimit) {
            yield* operatorOnly(payer)
            const creditLimit = yield* Effect.fromResult(checkCredit(requestedLimit))
            const { balance } = yield* fundsOf(payer)
            const change = credited(balance, payer, creditLimit, yield* Clock.currentTimeMillis)
            if (change !== null) yield* store.commit(change)
          }, untilCommitted),
          correct: Effect.fnUntraced(function* (payer, request, idempotencyKey) {
            yield* operatorOnly(payer)
            yield* Effect.fromResult(checkCorrection(request))
            const correctionId = Identifier.make("cor", yield* Clock.currentTimeMillis)
            return yield* correct(payer, request, idempotencyKey ?? correctionId)
          })
        })
      })
    )
}

export declare namespace Billing {
  /** A month of the ledger with its bounds. */
  export interface Statement extends MonthlySums, Month {
    /** `2026-11` */
    readonly month: string
    readonly currency: string
  }

  /** The environment whose money moves, who asks, and the settings that matter. Every caller satisfies it. */
  export interface Payer extends Account {
    readonly settings: Settings
  }
}
