import { type Effect, Schema } from "effect"
import type { CallHandler } from "./InboxMethods.ts"
import {
  type FunnelAnswer,
  type LatencyAnswer,
  type RefusalsAnswer,
  type SeriesAnswer,
  SeriesQuery,
  type SpendAnswer,
  StatQuery
} from "./stats/contract.ts"
import * as statsHandlers from "./stats/handlers.ts"

const seriesQuery = Schema.toType(SeriesQuery)
const query = Schema.toType(StatQuery)

type Asked = typeof query.Type

/** What verifications came to: `/v1/dashboard/stats`. */
export interface StatisticsMethods {
  /** Counts over time. */
  readonly series: (asked?: typeof seriesQuery.Type) => Promise<typeof SeriesAnswer.Type>
  /** From asked to verified. */
  readonly funnel: (asked?: Asked) => Promise<typeof FunnelAnswer.Type>
  /** How long sending, delivering and verifying take. */
  readonly latency: (asked?: Asked) => Promise<typeof LatencyAnswer.Type>
  /** What messages cost. */
  readonly spend: (asked?: Asked) => Promise<typeof SpendAnswer.Type>
  /** Refused initiates by reason. */
  readonly refusals: (asked?: Asked) => Promise<typeof RefusalsAnswer.Type>
}

const rest = { payload: undefined, query: undefined, params: undefined, idempotencyKey: null, clientAddress: null }

/** What each method runs. */
export const handlers = statsHandlers.make

/** Statistics as methods that answer promises. */
export const makeStatisticsMethods = (
  { funnel, latency, refusals, series, spend }: Effect.Success<typeof handlers>,
  call: CallHandler
): StatisticsMethods => ({
  series: (asked = {}) => call(seriesQuery, asked, (query, caller) => series({ ...rest, caller, query })),
  funnel: (asked = {}) => call(query, asked, (query, caller) => funnel({ ...rest, caller, query })),
  latency: (asked = {}) => call(query, asked, (query, caller) => latency({ ...rest, caller, query })),
  spend: (asked = {}) => call(query, asked, (query, caller) => spend({ ...rest, caller, query })),
  refusals: (asked = {}) => call(query, asked, (query, caller) => refusals({ ...rest, caller, query }))
})
