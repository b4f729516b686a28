import { Clock, Context, Effect, Layer } from "effect"
import { Billing } from "../../account/billing/Billing.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { Keys } from "../../account/merchant/Keys.ts"
import { entriesOf, kinds } from "../../account/stat/fold.ts"
import { quarter } from "../../account/stat/StatBucket.ts"
import { splitName } from "../../account/stat/statFacts.ts"
import { StatStore } from "../../account/stat/StatStore.ts"
import { WebhookStore } from "../../account/webhook/WebhookStore.ts"
import { VerificationStore } from "../../auth/verification/VerificationStore.ts"
import { Leads } from "../../engagement/lead/Leads.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { days, hours, type Instant, minutes, seconds } from "../../foundation/time/Instant.ts"
import { ChannelStates } from "../search/ChannelStates.ts"
import { type Attention, type AttentionFacts, attentionOf } from "./attentionOf.ts"
import { prefixOf } from "./prefixOf.ts"
import { rule, unusualOf, type Window, type WindowCounts } from "./unusual.ts"

/** The same hours of these weeks are the past. Quarter hours are kept for 35 days. */
const weeksBack = [1, 2, 3, 4]
/** A login counts in its first quarter hour. By then its code has expired and most receipts have arrived. */
const settled = minutes(15)
const busyWindow = hours(3)
/** With fewer requests in a busy window, the last day is compared. */
const leastOfBusy = 300
const quietWindow = days(1)
/** How long an answer about the statistics holds. The past is read once a quarter hour. */
const fresh = seconds(60)
const mostEnvironments = 1_000
const looked = 200

interface Looked {
  readonly end: Instant
  readonly length: number
  readonly weeks: ReadonlyArray<ReadonlyArray<WindowCounts>>
  readonly at: Instant
  readonly unusual: AttentionFacts["unusual"]
}

/**
 * What needs a person in an environment: failing channels, money, webhooks, waiting customers, keys about to retire, and
 * statistics well below their own last weeks.
 *
 * @example
 * ```ts
 * import { Attentions, type Caller } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const isCalm = Effect.fn(function* (caller: Caller) {
 *   return (yield* (yield* Attentions).list(caller)).length === 0
 * })
 * ```
 */
export class Attentions extends Context.Service<
  Attentions,
  {
    /** Most urgent first. The part about statistics may be a minute old. */
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<Attention>, StoreError>
  }
>()("@countersign/core/attention/Attentions") {
  static readonly layerNoDeps: Layer.Layer<
    Attentions,
    never,
    Billing | ChannelStates | Keys | Leads | StatStore | VerificationStore | WebhookStore
  > = Layer.effect(
    Attentions,
    Effect.gen(function* () {
      const billing = yield* Billing
      const channels = yield* ChannelStates
      const keys = yield* Keys
      const leads = yield* Leads
      const stats = yield* StatStore
      const verifications = yield* VerificationStore
      const webhooks = yield* WebhookStore
      const known = new Map<string, Looked>()

      /** The counts of a window, each quarter hour and path on its own. */
      const countsIn = Effect.fnUntraced(function* (environment: string, { from, to }: Window) {
        const { buckets, facts } = yield* stats.read({
          environment,
          span: "QUARTER",
          from,
          to,
          latencies: false,
          kinds
        })
        const sums = new Map<string, { -readonly [N in keyof WindowCounts]: WindowCounts[N] }>()
        const add = (channel: string, country: string, name: string, n: number) => {
          const [what] = splitName(name)
          if (what !== "asked" && what !== "verified" && what !== "sent" && what !== "delivered") return
          const key = `${channel} ${country}`
          let sum = sums.get(key)
          if (sum === undefined)
            sums.set(key, (sum = { channel, country, asked: 0, verified: 0, sent: 0, delivered: 0 }))
          sum[what] += n
        }
        for (const { channel, counts, country } of buckets)
          for (const name in counts) add(channel, country, name, counts[name]!)
        for (const fact of facts)
          for (const { channel, country, n, name } of entriesOf(fact)) add(channel, country, name, n)
        return [...sums.values()] as ReadonlyArray<WindowCounts>
      })

      const askedIn = (counts: ReadonlyArray<WindowCounts>) => counts.reduce((sum, { asked }) => sum + asked, 0)

      /** The beginning that most of a country's latest numbers share. */
      const commonPrefix = (environment: string, country: string, { from, to }: Window, now: Instant) =>
        Effect.map(
          verifications.search({
            environment,
            filter: { country },
            before: Identifier.first("ver", to),
            since: Identifier.first("ver", from),
            now,
            limit: looked,
            most: looked
          }),
          ({ found }) => prefixOf(found.map(({ identity }) => identity.canonical))
        )

      const look = Effect.fnUntraced(function* (environment: string, now: Instant) {
        const end = now - settled - ((now - settled) % quarter)
        const last = known.get(environment)
        const isSame = last?.end === end
        if (isSame && Math.abs(now - last.at) < fresh) return last.unusual
        const windowOf = (length: number, weeks = 0): Window => ({
          from: end - length - weeks * days(7),
          to: end - weeks * days(7)
        })
        let length = isSame ? last.length : busyWindow
        let counts = yield* countsIn(environment, windowOf(length))
        if (!isSame && askedIn(counts) < leastOfBusy) {
          length = quietWindow
          counts = yield* countsIn(environment, windowOf(length))
        }
        // Too few requests to compare need no past.
        const weeks = isSame
          ? last.weeks
          : askedIn(counts) < rule.leastNow
            ? []
            : yield* Effect.forEach(weeksBack, (back) => countsIn(environment, windowOf(length, back)))
        const window = windowOf(length)
        const unusual = yield* Effect.forEach(
          unusualOf(counts, weeks),
          Effect.fnUntraced(function* (each) {
            if (each.code !== "STARTS_UNUSUAL") return { ...each, ...window }
            return { ...each, ...window, prefix: yield* commonPrefix(environment, each.country, window, now) }
          })
        )
        known.delete(environment)
        known.set(environment, { end, length, weeks, at: now, unusual })
        const [oldest] = known.keys()
        if (known.size > mostEnvironments && oldest !== undefined) known.delete(oldest)
        return unusual
      })

      return Attentions.of({
        list: Effect.fnUntraced(function* (caller: Caller) {
          const now = yield* Clock.currentTimeMillis
          const facts = yield* Effect.all(
            {
              channels: channels.list(caller),
              balance: billing.balance(caller),
              webhooks: webhooks.list(caller.environment),
              waiting: leads.waiting(caller),
              keys: keys.list(caller),
              unusual: look(caller.environment, now)
            },
            { concurrency: "unbounded" }
          )
          return attentionOf({ ...facts, settings: caller.settings }, now)
        })
      })
    })
  )
}
