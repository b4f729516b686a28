import { Clock, Context, Effect, Layer } from "effect"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { type GuardReason, guardReasons } from "../../foundation/guard/GuardReason.ts"
import type { Caller } from "../merchant/Caller.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { type Instant, toIso } from "../../foundation/time/Instant.ts"
import { entriesOf, isLatency, kinds } from "./fold.ts"
import { type Quantiles, quantilesOf } from "./quantiles.ts"
import type { StatGroup } from "./StatBucket.ts"
import { type Asked, checkStatQuery, type Dimension, type Point, type StatPoint, type StatQuery } from "./StatQuery.ts"
import { type Counts, splitName } from "./statFacts.ts"
import { StatStore } from "./StatStore.ts"

/** Counts of the verifications that started in a time range. */
export interface StatCounts {
  /** Verifications that started. Resends, trusted devices and refusals are not included. */
  readonly asked: number
  /** Messages that a provider accepted. */
  readonly sent: number
  readonly delivered: number
  readonly verified: number
  readonly failed: number
  readonly expired: number
  readonly resent: number
  readonly fallbacks: number
  /** Trusted devices that were recognized. */
  readonly oneTap: number
  readonly refused: number
}

/** The counts of a point and a group. The group is null without grouping, and for ungrouped items. */
export interface SeriesItem extends StatCounts {
  readonly at: Instant
  readonly group: string | null
}

export interface Grouped {
  readonly group: string | null
}

/** How many verifications ended without success in the same way. */
export interface Loss {
  readonly code: string
  readonly count: number
}

/** The counts of relayed codes. They have no share of success: another system knows which were typed. */
export interface RelayedCounts {
  readonly requested: number
  /** Messages that a provider accepted. */
  readonly sent: number
  readonly delivered: number
  /** Codes that no message could deliver. */
  readonly failed: number
}

const relayedIn = (counts: Counts): RelayedCounts => ({
  requested: counts["relayed"] ?? 0,
  sent: counts["relayedSent"] ?? 0,
  delivered: counts["relayedDelivered"] ?? 0,
  failed: counts["relayedFailed"] ?? 0
})

export interface FunnelItem extends Grouped, Pick<StatCounts, "asked" | "sent" | "delivered" | "verified"> {
  readonly relayed: RelayedCounts
  /** Verifications that ended without success by outcome, most first. `NO_RECEIPT` includes `SENT_UNUSED`. */
  readonly losses: ReadonlyArray<Loss>
}

export interface LatencyItem extends Grouped {
  readonly toSend: Quantiles | null
  readonly toDeliver: Quantiles | null
  readonly toVerify: Quantiles | null
}

export interface SpendItem extends Grouped {
  /** Messages that were sent and did not fail afterwards. */
  readonly sends: number
  /** In the smallest unit of money; null when the merchant has no prices and no message had one. */
  readonly amount: number | null
  readonly costPerVerified: number | null
}

export interface RefusalItem extends Grouped {
  readonly reason: string
  readonly count: number
}

/** Codes that were sent although the guard had a reason. */
export interface Judged {
  readonly sent: number
  readonly typed: number
  /** The cost of their messages, in the smallest unit of money; null when no message had a price. */
  readonly cost: number | null
}

/** What the guard saw for one reason, with the requests that it refused. */
export interface JudgedItem extends Judged {
  readonly reason: GuardReason
  readonly refused: number
}

/** The sums of a point and a group. */
interface Sum {
  readonly point: number
  readonly group: string
  readonly counts: { [name: string]: number }
  readonly latencies: { [name: string]: number }
}

const nothing: Sum = { point: 0, group: "", counts: {}, latencies: {} }

const refusedPrefix = "refused."

const refusalsIn = (counts: Counts) => Object.entries(counts).filter(([name]) => name.startsWith(refusedPrefix))

const lostPrefix = "lost."

const lossesIn = (counts: Counts): ReadonlyArray<Loss> =>
  Object.entries(counts)
    .filter(([name, count]) => name.startsWith(lostPrefix) && count > 0)
    .map(([name, count]) => ({ code: name.slice(lostPrefix.length), count }))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))

const countsIn = (counts: Counts): StatCounts => ({
  asked: counts["asked"] ?? 0,
  sent: counts["sent"] ?? 0,
  delivered: counts["delivered"] ?? 0,
  verified: counts["verified"] ?? 0,
  failed: counts["failed"] ?? 0,
  expired: counts["expired"] ?? 0,
  resent: counts["resent"] ?? 0,
  fallbacks: counts["fallbacks"] ?? 0,
  oneTap: counts["oneTap"] ?? 0,
  refused: refusalsIn(counts).reduce((sum, [, n]) => sum + n, 0)
})

/** The counts of `countsOf` for one reason, or for all with an empty text. */
const judgedIn = (counts: Counts, of: string): Judged => ({
  sent: counts[`judged${of}`] ?? 0,
  typed: counts[`judgedTyped${of}`] ?? 0,
  cost: counts[`judgedCost${of}`] ?? null
})

/** The last point that has begun by then. */
const pointAt = (points: ReadonlyArray<Point>, at: Instant): number => {
  let [low, high] = [0, points.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (points[middle]!.from <= at) low = middle
    else high = middle
  }
  return low
}

const groupOf = (group: StatGroup, carrier: string, dimension: Dimension | null) =>
  dimension === null ? "" : dimension === "carrier" ? carrier : group[dimension]

const orNull = (text: string) => (text === "" ? null : text)

const byPointAndGroup = (a: Sum, b: Sum) => a.point - b.point || (a.group < b.group ? -1 : 1)

/**
 * Statistics of verifications, by the time in which they started. The sums equal a count over the rows at the moment of
 * the query, because facts outside the buckets are added.
 *
 * @example
 * ```ts
 * import { type Caller, Statistics } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const conversion = Effect.fn(function* (caller: Caller) {
 *   const statistics = yield* Statistics
 *   const { items } = yield* statistics.funnel(caller, { groupBy: "channel", tz: "Asia/Kolkata" })
 *   return items.map(({ asked, group, verified }) => ({ group, share: verified / asked }))
 * })
 * ```
 */
export class Statistics extends Context.Service<
  Statistics,
  {
    /** Counts over time. Without groups the result has every point; with groups, only points with counts. */
    readonly series: (
      caller: Pick<Caller, "environment">,
      query: StatQuery
    ) => Effect.Effect<
      { readonly bucket: StatPoint; readonly items: ReadonlyArray<SeriesItem> },
      InvalidField | StoreError
    >
    readonly funnel: (
      caller: Pick<Caller, "environment">,
      query: StatQuery
    ) => Effect.Effect<ReadonlyArray<FunnelItem>, InvalidField | StoreError>
    /**
     * Latencies from the start of a verification; `toSend` is measured from the message. Each is off by at most 1/64.
     */
    readonly latency: (
      caller: Pick<Caller, "environment">,
      query: StatQuery
    ) => Effect.Effect<ReadonlyArray<LatencyItem>, InvalidField | StoreError>
    /** The cost of messages, each at the price when it was requested. */
    readonly spend: (
      caller: Pick<Caller, "environment" | "settings">,
      query: StatQuery
    ) => Effect.Effect<ReadonlyArray<SpendItem>, InvalidField | StoreError>
    readonly refusals: (
      caller: Pick<Caller, "environment">,
      query: StatQuery
    ) => Effect.Effect<ReadonlyArray<RefusalItem>, InvalidField | StoreError>
    /** What the guard saw, over all reasons and by reason. A code with two reasons counts once in `all`. */
    readonly judged: (
      caller: Pick<Caller, "environment">,
      query: Pick<StatQuery, "from" | "to" | "tz">
    ) => Effect.Effect<{ readonly all: Judged; readonly items: ReadonlyArray<JudgedItem> }, InvalidField | StoreError>
    /** All counts of a time range, for operators. */
    readonly usage: (
      environment: string,
      from: Instant,
      to: Instant
    ) => Effect.Effect<StatCounts, InvalidField | StoreError>
  }
>()("@countersign/core/stat/Statistics") {
  static readonly layer: Layer.Layer<Statistics, never, StatStore> = Layer.effect(
    Statistics,
    Effect.gen(function* () {
      const store = yield* StatStore

      /** The sums of each point and group, in this order. */
      const sumUp = Effect.fnUntraced(function* (
        environment: string,
        { groupBy, points, stretches }: Asked,
        { latencies = false }: { readonly latencies?: boolean } = {}
      ) {
        const sums = new Map<string, Sum>()
        const sumFor = (at: Instant, group: StatGroup, carrier: string) => {
          const [point, name] = [pointAt(points, at), groupOf(group, carrier, groupBy)]
          const key = `${point}\n${name}`
          let sum = sums.get(key)
          if (sum === undefined) sums.set(key, (sum = { point, group: name, counts: {}, latencies: {} }))
          return sum
        }
        const add = (at: Instant, group: StatGroup, name: string, n: number) => {
          const [what, carrier] = splitName(name)
          const sum = sumFor(at, group, carrier)
          const into = isLatency(what) ? sum.latencies : sum.counts
          into[what] = (into[what] ?? 0) + n
        }
        for (const stretch of stretches) {
          const { buckets, facts } = yield* store.read({ environment, ...stretch, latencies, kinds })
          for (const bucket of buckets) {
            for (const name in bucket.counts) add(bucket.at, bucket, name, bucket.counts[name]!)
            for (const name in bucket.latencies) add(bucket.at, bucket, name, bucket.latencies[name]!)
          }
          for (const fact of facts) for (const entry of entriesOf(fact)) add(entry.at, entry, entry.name, entry.n)
        }
        return [...sums.values()].sort(byPointAndGroup)
      })

      const checkQuery = (query: StatQuery, asSinglePoint: boolean) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fromResult(checkStatQuery(query, now, asSinglePoint)))

      /** Items of groups over the whole range, without empty ones. */
      const overall = <A>(
        { environment }: Pick<Caller, "environment">,
        query: StatQuery,
        options: Parameters<typeof sumUp>[2],
        itemsOf: (sum: Sum) => ReadonlyArray<A>
      ) =>
        Effect.flatMap(checkQuery(query, true), (checkedQuery) =>
          Effect.map(sumUp(environment, checkedQuery, options), (sums) =>
            (sums.length === 0 && checkedQuery.groupBy === null ? [nothing] : sums).flatMap(itemsOf)
          )
        )

      return Statistics.of({
        series: Effect.fnUntraced(function* ({ environment }, query) {
          const checkedQuery = yield* checkQuery(query, false)
          const { bucket, groupBy, points } = checkedQuery
          const sums = yield* sumUp(environment, checkedQuery)
          const itemOf = (point: number, group: string | null, counts: Counts): SeriesItem => ({
            at: points[point]!.at,
            group,
            ...countsIn(counts)
          })
          if (groupBy !== null)
            return { bucket, items: sums.map((sum) => itemOf(sum.point, orNull(sum.group), sum.counts)) }
          const byPoint = new Map(sums.map((sum) => [sum.point, sum.counts]))
          return { bucket, items: points.map((_, index) => itemOf(index, null, byPoint.get(index) ?? {})) }
        }),
        funnel: (caller, query) =>
          overall(caller, query, {}, ({ counts, group }) => {
            const { asked, delivered, sent, verified } = countsIn(counts)
            return [
              {
                group: orNull(group),
                asked,
                sent,
                delivered,
                verified,
                relayed: relayedIn(counts),
                losses: lossesIn(counts)
              }
            ]
          }),
        latency: (caller, query) =>
          overall(caller, query, { latencies: true }, ({ group, latencies }) => [
            {
              group: orNull(group),
              toSend: quantilesOf("toSend", latencies),
              toDeliver: quantilesOf("toDeliver", latencies),
              toVerify: quantilesOf("toVerify", latencies)
            }
          ]),
        spend: Effect.fnUntraced(function* (caller, query) {
          const sums = yield* overall(caller, query, {}, (sum) => [sum])
          const isPriced =
            Object.keys(caller.settings.prices).length > 0 ||
            sums.some(({ counts }) => (counts["cost"] ?? 0) + (counts["relayedCost"] ?? 0) > 0)
          return sums.map(({ counts, group }): SpendItem => {
            const { cost = 0, relayedBounced = 0, relayedCost = 0, relayedSent = 0, verified = 0 } = counts
            return {
              group: orNull(group),
              sends: (counts["sent"] ?? 0) - (counts["bounced"] ?? 0) + relayedSent - relayedBounced,
              amount: isPriced ? cost + relayedCost : null,
              costPerVerified: isPriced && verified > 0 ? cost / verified : null
            }
          })
        }),
        refusals: (caller, query) =>
          overall(caller, query, {}, ({ counts, group }) =>
            refusalsIn(counts)
              .map(([name, count]) => ({ group: orNull(group), reason: name.slice(refusedPrefix.length), count }))
              .sort((a, b) => (a.reason < b.reason ? -1 : 1))
          ),
        judged: (caller, { from, to, tz }) =>
          Effect.map(
            overall(caller, { from, to, tz }, {}, ({ counts }) => [counts]),
            ([counts = {}]) => ({
              all: judgedIn(counts, ""),
              items: guardReasons.map((reason) => ({
                reason,
                ...judgedIn(counts, `.${reason}`),
                refused: counts[`${refusedPrefix}guard.${reason}`] ?? 0
              }))
            })
          ),
        usage: Effect.fnUntraced(function* (environment, from, to) {
          const [sum] = yield* overall({ environment }, { from: toIso(from), to: toIso(to) }, {}, ({ counts }) => [
            counts
          ])
          return countsIn(sum ?? {})
        })
      })
    })
  )
}
