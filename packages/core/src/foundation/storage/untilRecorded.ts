import { Effect } from "effect"
import { type Millis, minutes, seconds } from "../time/Instant.ts"
import { type SteadyInstant, steadyNow } from "../time/steadyTime.ts"
import type { Contended } from "./Contended.ts"
import { isAway, logStoreError } from "./logStoreError.ts"
import type { StoreError } from "./StoreError.ts"

const firstWait: Millis = 100
const longestWait = seconds(1)
/**
 * Storage that answers but rejects the record may never accept it. After this time the record is given up, and the job
 * runs again.
 */
const longestRefusal = minutes(10)

/**
 * Records the answer of a provider or a receiver. Only this process has the answer, and asking again would send a
 * second message. So it retries the record until storage accepts it or the process ends. It fails only when storage is
 * reachable and rejects the record for ten minutes.
 *
 * `record` loads, decides and commits, so a repeat after a lost commit answer changes nothing.
 *
 * Handlers of jobs use it through `Work.untilRecorded`.
 */
export const untilRecorded = <A, R>(
  record: Effect.Effect<A, Contended | StoreError, R>
): Effect.Effect<A, Contended | StoreError, R> => record.pipe(Effect.catch((failure) => retried(record, failure)))

const retried = Effect.fnUntraced(function* <A, R>(
  record: Effect.Effect<A, Contended | StoreError, R>,
  first: Contended | StoreError
) {
  let failure = first
  let refusedSince: SteadyInstant | null = null
  for (let wait = firstWait; ; wait = Math.min(longestWait, wait * 2)) {
    const now = yield* steadyNow
    if (isAway(failure)) refusedSince = null
    else refusedSince ??= now
    if (refusedSince !== null && now - refusedSince >= longestRefusal) return yield* Effect.fail(failure)
    if (failure._tag === "StoreError" && failure === first) {
      yield* logStoreError("A provider's answer is not recorded yet; the process keeps it and retries", failure)
    }
    yield* Effect.sleep(wait)
    const made = yield* Effect.match(record, {
      onFailure: (error) => ({ isMade: false as const, error }),
      onSuccess: (value) => ({ isMade: true as const, value })
    })
    if (made.isMade) return made.value
    failure = made.error
  }
})
