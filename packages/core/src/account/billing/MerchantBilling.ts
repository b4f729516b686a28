import { Context, Effect, Layer } from "effect"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { BilledByOperator } from "../merchant/BillingRules.ts"
import type { EnvironmentKind } from "../merchant/Merchant.ts"
import { UnknownMerchant } from "../merchant/MerchantError.ts"
import { Merchants } from "../merchant/Merchants.ts"
import { MerchantStore } from "../merchant/MerchantStore.ts"
import { withDefaults, type Settings } from "../merchant/Settings.ts"
import type { By } from "../../foundation/outbox/AuditEntry.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { BalanceStore } from "./BalanceStore.ts"
import type { BalanceView } from "./BalanceView.ts"
import { Billing } from "./Billing.ts"
import { checkCredit, type CorrectionRequest, type TopUpRequest } from "./changeBalance.ts"

/** The fields that the operator changes. Absent fields stay. */
export interface BillingChange {
  readonly billing?: unknown
  readonly prices?: unknown
  readonly creditLimit?: number | undefined
}

/** An environment of a merchant, and the actor. */
export interface Billed {
  readonly merchantId: string
  readonly environment: EnvironmentKind
  readonly by: By
}

type Refused = BilledByOperator | InvalidField | UnknownMerchant | Contended | StoreError

/**
 * The money of merchants, for the operator.
 *
 * @example
 * ```ts
 * import { MerchantBilling, operator } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const begin = Effect.fn(function* (merchantId: string) {
 *   const billing = yield* MerchantBilling
 *   const whom = { merchantId, environment: "live", by: { actor: operator, address: null } } as const
 *   yield* billing.change(whom, { billing: "PREPAID", prices: { SMS: 25 } })
 *   return yield* billing.topUp(whom, { amount: 100_000, reference: "invoice 2026-114" }, null)
 * })
 * ```
 */
export class MerchantBilling extends Context.Service<
  MerchantBilling,
  {
    /** Live before test. */
    readonly of: (
      merchantId: string
    ) => Effect.Effect<ReadonlyArray<MerchantBilling.View>, UnknownMerchant | StoreError>
    /** Sets whether an environment is billed, its prices and its credit. */
    readonly change: (whom: Billed, change: BillingChange) => Effect.Effect<MerchantBilling.View, Refused>
    readonly topUp: (
      whom: Billed,
      request: TopUpRequest,
      idempotencyKey: string | null
    ) => Effect.Effect<BalanceStore.LedgerEntry, Refused>
    readonly correct: (
      whom: Billed,
      request: CorrectionRequest,
      idempotencyKey: string | null
    ) => Effect.Effect<BalanceStore.LedgerEntry, Refused>
  }
>()("@countersign/core/billing/MerchantBilling") {
  static readonly layer: Layer.Layer<MerchantBilling, never, Billing | Merchants | MerchantStore> = Layer.effect(
    MerchantBilling,
    Effect.gen(function* () {
      const billing = yield* Billing
      const merchants = yield* Merchants
      const store = yield* MerchantStore

      const environmentsOf = Effect.fnUntraced(function* (id: string) {
        const { environments } = (yield* store.get(id)) ?? (yield* new UnknownMerchant({ id }))
        return environments.map((environment) => ({
          ...environment,
          settings: withDefaults(environment.settings)
        }))
      })

      const payerOf = Effect.fnUntraced(function* ({ by, environment: kind, merchantId }: Billed) {
        const { id, settings } = (yield* environmentsOf(merchantId)).find((each) => each.kind === kind)!
        const payer: Billing.Payer = { ...by, merchantId, environment: id, kind, settings }
        return payer
      })

      const viewOf = ({ environment, kind, settings }: Pick<Billing.Payer, "environment" | "kind" | "settings">) =>
        Effect.map(
          billing.balance({ environment, settings }),
          (balance): MerchantBilling.View => ({
            environment: kind,
            billing: settings.billing,
            prices: settings.prices,
            ...balance
          })
        )

      return MerchantBilling.of({
        of: Effect.fnUntraced(function* (merchantId) {
          const found = yield* environmentsOf(merchantId)
          return yield* Effect.forEach(
            found.toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
            ({ id, kind, settings }) => viewOf({ environment: id, kind, settings })
          )
        }),
        change: Effect.fnUntraced(function* (whom, { billing: mode, creditLimit, prices }) {
          const payer = yield* payerOf(whom)
          // Validates everything first, because settings and credit are two commits.
          if (creditLimit !== undefined) yield* Effect.fromResult(checkCredit(creditLimit))
          const given = Object.entries({ billing: mode, prices }).filter(([, value]) => value !== undefined)
          const next = yield* merchants
            .changeSettings(payer, Object.fromEntries(given))
            .pipe(Effect.catchTags({ FreshSignInNeeded: Effect.die, SettingOfOwner: Effect.die }))
          if (creditLimit !== undefined) yield* billing.setCredit(payer, creditLimit)
          return yield* viewOf({ ...payer, settings: next })
        }),
        topUp: (whom, request, key) => Effect.flatMap(payerOf(whom), (payer) => billing.topUp(payer, request, key)),
        correct: (whom, request, key) => Effect.flatMap(payerOf(whom), (payer) => billing.correct(payer, request, key))
      })
    })
  )
}

export declare namespace MerchantBilling {
  /** An environment's billing settings and its balance. */
  export interface View extends BalanceView, Pick<Settings, "billing" | "prices"> {
    readonly environment: EnvironmentKind
  }
}
