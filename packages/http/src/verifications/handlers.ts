import { History, Instant, type TimelineItem } from "@countersign/core"
import { Effect } from "effect"
import type { errors as auth } from "../auth/errors.ts"
import type { Handlers } from "../Handlers.ts"
import type { VerificationApi } from "./contract.ts"
import { shownVerification } from "./shownVerification.ts"

const shownItem = ({ at, ...item }: TimelineItem) => ({ at: Instant.toIso(at), ...item })

/** Answers `/v1/dashboard/verifications*`: calls core, and puts what it answers into the form of the contract. */
export const make = Effect.gen(function* () {
  const history = yield* History
  const handlers: Handlers<typeof VerificationApi, typeof auth> = {
    search: ({ caller, query }) =>
      Effect.map(history.search(caller, query), ({ items, nextCursor }) => ({
        items: items.map(shownVerification),
        nextCursor
      })),
    get: ({ caller, params }) => Effect.map(history.get(caller, params.requestId), shownVerification),
    timeline: ({ caller, params }) =>
      Effect.map(history.timeline(caller, params.requestId), (items) => ({ items: items.map(shownItem) })),
    unmask: ({ caller, params }) => Effect.map(history.unmask(caller, params.requestId), (identity) => ({ identity }))
  }
  return handlers
})
