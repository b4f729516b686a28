import { Context, Effect, Layer } from "effect"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { EnvironmentKind } from "../merchant/Merchant.ts"
import { UnknownMerchant } from "../merchant/MerchantError.ts"
import { MerchantStore } from "../merchant/MerchantStore.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { Statistics } from "./Statistics.ts"
import type { StatQuery } from "./StatQuery.ts"

/** A merchant's usage on one day in one environment. Days without usage are left out. */
export interface UsageItem {
  readonly environment: EnvironmentKind
  /** The day's midnight. */
  readonly at: Instant
  /** Verifications that started, and how many of them were verified. */
  readonly started: number
  readonly verified: number
  /** Messages that a provider accepted, by channel. */
  readonly sent: { readonly [channel: string]: number }
}

/**
 * Usage per merchant, for the operator.
 *
 * @example
 * ```ts
 * import { MerchantUsage } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const messages = Effect.fn(function* (merchantId: string) {
 *   const days = yield* (yield* MerchantUsage).of(merchantId, { from: "2026-01-01T00:00:00Z" })
 *   return days.reduce((sum, { sent }) => sum + (sent["SMS"] ?? 0), 0)
 * })
 * ```
 */
export class MerchantUsage extends Context.Service<
  MerchantUsage,
  {
    /** Usage per day of `tz`, live before test. The default is the last 30 days. */
    readonly of: (
      merchantId: string,
      query: Pick<StatQuery, "from" | "to" | "tz">
    ) => Effect.Effect<ReadonlyArray<UsageItem>, InvalidField | UnknownMerchant | StoreError>
  }
>()("@countersign/core/stat/MerchantUsage") {
  static readonly layer: Layer.Layer<MerchantUsage, never, MerchantStore | Statistics> = Layer.effect(
    MerchantUsage,
    Effect.gen(function* () {
      const merchants = yield* MerchantStore
      const statistics = yield* Statistics

      return MerchantUsage.of({
        of: Effect.fnUntraced(function* (id, { from, to, tz }) {
          const record = (yield* merchants.get(id)) ?? (yield* new UnknownMerchant({ id }))
          const days = yield* Effect.forEach(
            record.environments.toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
            ({ id: environment, kind }) =>
              Effect.map(
                statistics.series({ environment }, { from, to, tz, bucket: "1d", groupBy: "channel" }),
                ({ items }) => {
                  const byDay = new Map<Instant, UsageItem>()
                  for (const { asked, at, group, sent, verified } of items) {
                    const day = byDay.get(at) ?? { environment: kind, at, started: 0, verified: 0, sent: {} }
                    byDay.set(at, {
                      ...day,
                      started: day.started + asked,
                      verified: day.verified + verified,
                      sent: sent === 0 || group === null ? day.sent : { ...day.sent, [group]: sent }
                    })
                  }
                  return [...byDay.values()]
                }
              )
          )
          return days.flat()
        })
      })
    })
  )
}
