import { Effect, Queue, type Scope } from "effect"
import type { Instant } from "../time/Instant.ts"
import { type SteadyInstant, steadyMillis, steadyNow } from "../time/steadyTime.ts"
import type { StoreError } from "./StoreError.ts"

const atOnce = 8
const most = 10_000
const again = 250

/** Retries a write until storage accepts it or `until` is reached, when it no longer matters. */
export type RetryLater = (say: Effect.Effect<unknown, StoreError>, until: Instant) => Effect.Effect<void>

/**
 * Queues writes that failed because storage did not answer. For example, it releases a lease late, so that no process
 * has to wait for the lease to end. Holds at most 10,000 writes; beyond that, jobs wait for the end of their lease.
 */
export const make: Effect.Effect<RetryLater, never, Scope.Scope> = Effect.gen(function* () {
  const unsaid = yield* Queue.dropping<{
    readonly say: Effect.Effect<unknown, StoreError>
    readonly until: SteadyInstant
  }>(most)
  const sayNext = Effect.gen(function* () {
    const { say, until } = yield* Queue.take(unsaid)
    for (;;) {
      if ((yield* steadyNow) >= until) return
      if (yield* Effect.match(say, { onFailure: () => false, onSuccess: () => true })) return
      yield* Effect.sleep(again)
    }
  })
  for (let sayer = 0; sayer < atOnce; sayer++) yield* Effect.forkScoped(Effect.forever(sayNext))
  return (say, until) =>
    Effect.clockWith((clock) => {
      const left = until - clock.currentTimeMillisUnsafe()
      return Effect.asVoid(Queue.offer(unsaid, { say, until: steadyMillis(clock) + left }))
    })
})
