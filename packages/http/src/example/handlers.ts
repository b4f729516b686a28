import { ExampleDays } from "@countersign/core"
import { Effect } from "effect"
import type { Handlers } from "../Handlers.ts"
import type { ExampleApi } from "./contract.ts"
import type { errors } from "./errors.ts"

/** Answers requests for an example day. */
export const make = Effect.gen(function* () {
  const days = yield* ExampleDays
  const handlers: Handlers<typeof ExampleApi, typeof errors> = {
    start: ({ caller, payload }) => days.begin(caller, payload),
    get: ({ caller }) => Effect.map(days.isPlaying(caller), (isPlaying) => ({ isPlaying }))
  }
  return handlers
})
