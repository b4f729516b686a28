import { Currency, Instant, Statistics } from "@countersign/core"
import { Effect } from "effect"
import type { Handlers } from "../Handlers.ts"
import type { errors as common } from "../errors.ts"
import type { StatsApi } from "./contract.ts"

const listed = <A>(items: ReadonlyArray<A>) => ({ items })

/** Answers `/v1/dashboard/stats/*`. */
export const make = Effect.gen(function* () {
  const { code: currency } = yield* Currency
  const statistics = yield* Statistics
  const handlers: Handlers<typeof StatsApi, typeof common> = {
    series: ({ caller, query }) =>
      Effect.map(statistics.series(caller, query), ({ bucket, items }) => ({
        bucket,
        items: items.map((item) => ({ ...item, at: Instant.toIso(item.at) }))
      })),
    funnel: ({ caller, query }) => Effect.map(statistics.funnel(caller, query), listed),
    latency: ({ caller, query }) => Effect.map(statistics.latency(caller, query), listed),
    spend: ({ caller, query }) => Effect.map(statistics.spend(caller, query), (items) => ({ currency, items })),
    refusals: ({ caller, query }) => Effect.map(statistics.refusals(caller, query), listed)
  }
  return handlers
})
