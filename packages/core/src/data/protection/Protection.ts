import { Clock, Context, Effect, Layer } from "effect"
import { isStopped, letThrough, type Trip } from "../../foundation/guard/Trip.ts"
import { TripStore } from "../../auth/verification/TripStore.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import { noRecords } from "../../foundation/outbox/Change.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { toIso } from "../../foundation/time/Instant.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { Merchants } from "../../account/merchant/Merchants.ts"
import { type Judged, Statistics } from "../../account/stat/Statistics.ts"
import type { StatQuery } from "../../account/stat/StatQuery.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
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

/** A place that the guard stopped. */
export interface TripView extends Pick<Trip, "reason" | "place" | "since" | "until" | "codes" | "typed" | "met"> {
  /** Whether requests are refused now. */
  readonly enforced: boolean
  /** About what the codes cost, in the smallest unit of money; null without a price. */
  readonly cost: number | null
}

export interface ProtectionView {
  /** The places that are stopped now, the latest first. */
  readonly trips: ReadonlyArray<TripView>
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
    /**
     * Lets a stopped place through: the guard forgets what it counted there. With `safe`, the place also joins the
     * setting `safeList`, so that the guard never judges it; a country cannot. A place that is not stopped stays as it
     * is.
     */
    readonly letThrough: (
      caller: Caller,
      place: Pick<Trip, "reason" | "place">,
      options: { readonly safe: boolean }
    ) => Effect.Effect<void, Effect.Error<Changed> | InvalidField | Contended>
  }
>()("@countersign/core/guard/Protection") {
  static readonly layer: Layer.Layer<Protection, never, Merchants | Outbox | Statistics | TripStore> = Layer.effect(
    Protection,
    Effect.gen(function* () {
      const merchants = yield* Merchants
      const statistics = yield* Statistics
      const trips = yield* TripStore
      const commit = yield* Outbox.committer(TripStore)

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
          const now = yield* Clock.currentTimeMillis
          const stopped = yield* trips.list(caller.environment, now)
          return {
            trips: stopped
              .filter((trip) => isStopped(trip, now))
              .map(({ codes, met, place, price, reason, since, typed, until }) => ({
                reason,
                place,
                since,
                until,
                codes,
                typed,
                met,
                enforced: guardEnforces.includes(reason),
                cost: price === null ? null : price * codes
              })),
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
        undo: (caller, reason) => change(caller, reason, false),
        letThrough: Effect.fnUntraced(function* (caller, { place, reason }, { safe }) {
          if (safe && !/^[0-9]{1,15}$/.test(place)) {
            return yield* new InvalidField({ field: "safe", problem: "must be false for a country" })
          }
          if (safe) {
            yield* merchants.changeSettings(caller, ({ safeList }) => ({
              safeList: safeList.includes(place) ? safeList : [...safeList, place]
            }))
          }
          yield* untilCommitted(
            Effect.gen(function* () {
              const now = yield* Clock.currentTimeMillis
              const stored = yield* trips.get(caller.environment, reason, place)
              const ended = stored === null ? null : letThrough(stored, now)
              if (ended === null) return
              const target = { kind: "trip", id: `${reason} ${place}` }
              const { codes, typed, until } = ended
              const from = { until: toIso(until), codes, typed }
              const entry = auditEntry(caller, { action: "trip.ended", target, from }, now)
              yield* commit({ ...noRecords, trip: ended, audited: [entry] })
            })
          )
        })
      })
    })
  )
}
