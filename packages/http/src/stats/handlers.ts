import { type Attention, Attentions, Currency, Instant, Statistics } from "@countersign/core"
import { Effect } from "effect"
import type { Handlers } from "../Handlers.ts"
import type { errors as common } from "../errors.ts"
import type { AttentionAnswer, StatsApi } from "./contract.ts"

const listed = <A>(items: ReadonlyArray<A>) => ({ items })

/** With its times as texts. */
const shownAttention = (item: Attention): (typeof AttentionAnswer.Type)["items"][number] => {
  switch (item.code) {
    case "CHANNEL_PAUSED":
    case "CARRIER_PAUSED":
      return { ...item, until: Instant.toIsoOrNull(item.until) }
    case "KEY_RETIRING":
      return { ...item, until: Instant.toIso(item.until) }
    case "CHANNEL_LATE":
    case "WEBHOOK_FAILING":
    case "CUSTOMERS_WAITING":
      return { ...item, since: Instant.toIso(item.since) }
    case "CONVERSION_LOW":
    case "DELIVERY_LOW":
    case "STARTS_UNUSUAL":
      return { ...item, from: Instant.toIso(item.from), to: Instant.toIso(item.to) }
    default:
      return item
  }
}

/** Answers `/v1/dashboard/stats/*` and `/v1/dashboard/attention`. */
export const make = Effect.gen(function* () {
  const { code: currency } = yield* Currency
  const statistics = yield* Statistics
  const attentions = yield* Attentions
  const handlers: Handlers<typeof StatsApi, typeof common> = {
    series: ({ caller, query }) =>
      Effect.map(statistics.series(caller, query), ({ bucket, items }) => ({
        bucket,
        items: items.map((item) => ({ ...item, at: Instant.toIso(item.at) }))
      })),
    funnel: ({ caller, query }) => Effect.map(statistics.funnel(caller, query), listed),
    latency: ({ caller, query }) => Effect.map(statistics.latency(caller, query), listed),
    spend: ({ caller, query }) => Effect.map(statistics.spend(caller, query), (items) => ({ currency, items })),
    refusals: ({ caller, query }) => Effect.map(statistics.refusals(caller, query), listed),
    attention: ({ caller }) => Effect.map(attentions.list(caller), (items) => ({ items: items.map(shownAttention) }))
  }
  return handlers
})
