import { Context, Metric } from "effect"
import { systemEnvironment } from "../merchant/systemEnvironment.ts"
import type { Fact } from "../../foundation/outbox/Fact.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"
import { entriesOf } from "./fold.ts"
import { splitName } from "./statFacts.ts"
import { spanOf } from "./latencyClass.ts"

const verifications = Metric.counter("countersign_verifications_total", {
  description: "Verifications by outcome, counted when statistics are folded",
  incremental: true
})
const messages = Metric.counter("countersign_messages_total", {
  description: "Messages by outcome, counted when statistics are folded",
  incremental: true
})
const refusals = Metric.counter("countersign_refusals_total", {
  description: "Refused initiate requests by reason",
  incremental: true
})
const boundaries = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000]
const timers = {
  toSend: Metric.histogram("countersign_time_to_send_ms", {
    description: "From the creation of a message until its provider accepted it",
    boundaries
  }),
  toDeliver: Metric.histogram("countersign_time_to_deliver_ms", {
    description: "From the start of a verification until a message was delivered",
    boundaries
  }),
  toVerify: Metric.histogram("countersign_time_to_verify_ms", {
    description: "From the start of a verification until it was verified",
    boundaries
  })
}
const folded = Metric.gauge("countersign_statistics_folded_timestamp_seconds", {
  description: "When this process last folded all facts into statistics; use the latest time of all processes"
})

type Updated = { readonly updateUnsafe: (n: number, context: Context.Context<never>) => void }

const none = Context.empty()
const ofMessages = new Set(["sent", "bounced", "delivered", "relayedSent", "relayedBounced", "relayedDelivered"])
const word = /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/
/** Limits a label to a few known values. Unknown values, and values beyond the limit, become `other`. */
const mostSeries = 500

/**
 * The facts that metrics count. The service's own environments, in which people sign in, are excluded. A sign-in code
 * for a known address is really sent, and for any other address it is simulated. Counts would reveal which.
 */
export const countedFacts = (facts: ReadonlyArray<Fact>): ReadonlyArray<Fact> =>
  facts.filter(({ environment }) => systemEnvironment(environment) === null)

/** Makes counters from folded facts. Every process counts the facts it folded, and the total is their sum. */
export const makeStatMetrics = () => {
  const series = new Map<string, Updated>()

  const labelled = (name: string, metric: Updated & Metric.Metric<number, unknown>, labels: Record<string, string>) => {
    const key = `${name} ${Object.values(labels).join(" ")}`
    let existing = series.get(key)
    if (existing === undefined) {
      if (series.size >= mostSeries) return null
      series.set(key, (existing = Metric.withAttributes(metric, labels) as unknown as Updated))
    }
    return existing
  }

  const label = (text: string) => (word.test(text) ? text : text === "" ? "none" : "other")

  return {
    /** Counts folded facts. Negative facts are not counted: a counter never falls. */
    count: (facts: ReadonlyArray<Fact>): void => {
      for (const fact of countedFacts(facts)) {
        const environment = fact.value["sandbox"] === undefined ? "live" : "test"
        for (const { channel, n, name, path } of entriesOf(fact)) {
          if (n <= 0) continue
          const [counted, carrier] = splitName(name)
          const [counter = "", index] = counted.split(".")
          const labels = {
            channel: label(channel),
            environment,
            ...(carrier === "" ? {} : { carrier: label(carrier) })
          }
          // Money is not a count, `failed` and `expired` count what is lost, and the guard's reasons are no outcome.
          if (counter === "cost" || counter === "relayedCost" || counter === "lost" || counter.startsWith("judged"))
            continue
          if (counter === "refused") {
            const reason = { reason: label(name.slice("refused.".length)), path: label(path) }
            labelled("refusals", refusals, reason)?.updateUnsafe(n, none)
          } else if (Object.hasOwn(timers, counter)) {
            const timer = labelled(counter, timers[counter as keyof typeof timers], labels)
            const { from, width } = spanOf(Number(index))
            for (let i = 0; i < n; i++) timer?.updateUnsafe(from + width / 2, none)
          } else {
            const metric = ofMessages.has(counter) ? messages : verifications
            labelled("events", metric, { ...labels, event: label(counter) })?.updateUnsafe(n, none)
          }
        }
      }
    },
    /** No facts remained. */
    done: (now: Instant): void => folded.updateUnsafe(now / seconds(1), none)
  }
}
