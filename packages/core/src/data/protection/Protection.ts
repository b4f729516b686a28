import { Context, Effect, Layer } from "effect"
import type { Caller } from "../../account/merchant/Caller.ts"
import { Merchants } from "../../account/merchant/Merchants.ts"
import { type Judged, Statistics } from "../../account/stat/Statistics.ts"
import type { StatQuery } from "../../account/stat/StatQuery.ts"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { GuardReason } from "../../foundation/guard/GuardReason.ts"

/** What enforcing would have done. */
export interface WouldView {
  /** Codes that it would have refused. */
  readonly refused: number
  /** Of those, the codes that people typed. */
  readonly typed: number
  /** The cost of their messages, in the smallest unit of money; null when none had a price. */
  readonly saved: number | null
}

/** A reason of the guard, and what enforcing it would have done. */
export interface ReasonView {
  readonly reason: GuardReason
  /** Whether it refuses codes now. */
  readonly enforced: boolean
  readonly would: WouldView
  /** Requests that it refused because it was enforced. */
  readonly refused: number
}

export interface ProtectionView {
  /** What enforcing every reason would have done. A code with two reasons counts once. */
  readonly would: WouldView
  readonly reasons: ReadonlyArray<ReasonView>
}

const wouldOf = ({ cost, sent, typed }: Judged): WouldView => ({ refused: sent, typed, saved: cost })

type Changed = ReturnType<Merchants["Service"]["changeSettings"]>

/**
 * What the guard would save, and which of its reasons refuse codes.
 *
 * @example
 * ```ts
 * import { type Caller, Protection } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const enforceHarmless = Effect.fn(function* (caller: Caller) {
 *   const protection = yield* Protection
 *   const { reasons } = yield* protection.view(caller, {})
 *   for (const { reason, would } of reasons) {
 *     if (would.refused > 0 && would.typed === 0) yield* protection.enforce(caller, reason)
 *   }
 * })
 * ```
 */
export class Protection extends Context.Service<
  Protection,
  {
    /** Every reason, over a time range. The default is the last 30 days. */
    readonly view: (
      caller: Caller,
      query: Pick<StatQuery, "from" | "to" | "tz">
    ) => Effect.Effect<ProtectionView, InvalidField | StoreError>
    /** Refuses codes for this reason from now on. */
    readonly enforce: (caller: Caller, reason: GuardReason) => Effect.Effect<void, Effect.Error<Changed>>
    /** Only records this reason from now on. */
    readonly undo: (caller: Caller, reason: GuardReason) => Effect.Effect<void, Effect.Error<Changed>>
  }
>()("@countersign/core/guard/Protection") {
  static readonly layer: Layer.Layer<Protection, never, Merchants | Statistics> = Layer.effect(
    Protection,
    Effect.gen(function* () {
      const merchants = yield* Merchants
      const statistics = yield* Statistics

      const change = (caller: Caller, reason: GuardReason, isEnforced: boolean) =>
        Effect.asVoid(
          merchants.changeSettings(caller, ({ guardEnforces }) => {
            const others = guardEnforces.filter((one) => one !== reason)
            return { guardEnforces: isEnforced ? [...others, reason] : others }
          })
        )

      return Protection.of({
        view: Effect.fnUntraced(function* (caller, query) {
          const { all, items } = yield* statistics.judged(caller, query)
          const { guardEnforces } = yield* merchants.settings(caller)
          return {
            would: wouldOf(all),
            reasons: items.map(({ reason, refused, ...judged }) => ({
              reason,
              enforced: guardEnforces.includes(reason),
              would: wouldOf(judged),
              refused
            }))
          }
        }),
        enforce: (caller, reason) => change(caller, reason, true),
        undo: (caller, reason) => change(caller, reason, false)
      })
    })
  )
}
