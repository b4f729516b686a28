import { Instant, OptOuts } from "@countersign/core"
import { Effect } from "effect"
import type { Handlers } from "../Handlers.ts"
import type { OptOutApi } from "./contract.ts"
import type { errors } from "./errors.ts"

const shown = ({ at, by, phone }: OptOuts.View) => ({ phone, by, at: Instant.toIso(at) })

/** Answers opt-outs. */
export const make = Effect.gen(function* () {
  const optOuts = yield* OptOuts
  const handlers: Handlers<typeof OptOutApi, typeof errors> = {
    list: ({ caller, query }) =>
      Effect.map(optOuts.list(caller, query), ({ items, nextCursor }) => ({ items: items.map(shown), nextCursor })),
    add: ({ caller, payload }) => Effect.map(optOuts.add(caller, payload.phone), shown),
    remove: ({ caller, params }) => optOuts.remove(caller, params.phone)
  }
  return handlers
})
