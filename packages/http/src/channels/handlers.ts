import { ChannelStates, Instant } from "@countersign/core"
import { Effect } from "effect"
import type { Handlers } from "../Handlers.ts"
import type { ChannelApi } from "./contract.ts"

const shownBreaker = ({ state, until }: ChannelStates.View["breaker"]) => ({ state, until: Instant.toIsoOrNull(until) })

const shown = ({
  breaker,
  carriers,
  lastFailure,
  lastReceiptAt,
  lastSentAt,
  oldestWaitingAt,
  ...view
}: ChannelStates.View) => ({
  ...view,
  enabled: view.provider !== null,
  breaker: shownBreaker(breaker),
  carriers: carriers.map((each) => ({ ...each, breaker: shownBreaker(each.breaker) })),
  oldestWaitingAt: Instant.toIsoOrNull(oldestWaitingAt),
  lastSentAt: Instant.toIsoOrNull(lastSentAt),
  lastFailure:
    lastFailure === null ? null : { at: Instant.toIso(lastFailure.at), providerCode: lastFailure.providerCode },
  lastReceiptAt: Instant.toIsoOrNull(lastReceiptAt)
})

/** Answers `/v1/dashboard/channels`. */
export const make = Effect.gen(function* () {
  const states = yield* ChannelStates
  const handlers: Handlers<typeof ChannelApi> = {
    list: ({ caller }) =>
      Effect.map(states.list(caller), (found) => ({
        items: found.map(shown),
        nextCursor: null,
        verifiers: states.verifiers(caller)
      }))
  }
  return handlers
})
