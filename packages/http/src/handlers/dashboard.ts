import { EventStore, Instant, Merchants } from "@countersign/core"
import { Effect } from "effect"
import type { DashboardApi } from "../api/DashboardApi.ts"
import type { Handlers } from "../Handlers.ts"

const pageSize = 50

/** `/v1/dashboard/*` in the words of the wire. */
export const make = Effect.gen(function* () {
  const merchants = yield* Merchants
  const events = yield* EventStore
  const handlers: Handlers<typeof DashboardApi> = {
    settings: ({ caller }) => merchants.settings(caller),
    changeSettings: ({ caller, payload }) => merchants.changeSettings(caller, payload),
    events: ({ caller, query }) => {
      const limit = query.limit ?? pageSize
      return Effect.map(
        events.list({
          environment: caller.environment,
          type: query.type ?? null,
          after: query.cursor ?? null,
          limit: limit + 1
        }),
        (found) => {
          const items = found.slice(0, limit).map(({ createdAt, data, id, type }) => ({
            id,
            type,
            createdAt: Instant.toIso(createdAt),
            environment: caller.kind,
            data
          }))
          return { items, nextCursor: found.length > limit ? items[items.length - 1]!.id : null }
        }
      )
    }
  }
  return handlers
})
