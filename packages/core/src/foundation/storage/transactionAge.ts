import { Effect, Metric } from "effect"
import { seconds } from "../time/Instant.ts"
import { type SteadyInstant, steadyNow } from "../time/steadyTime.ts"
import { StorageHealth } from "./StorageHealth.ts"

const age = Metric.gauge("countersign_oldest_transaction_seconds", {
  description: "How long the oldest transaction that this role can see has been open"
})

/** The shortest interval between two queries by one process, however often metrics are read. */
const every = seconds(10)

/** Refreshes the age of the oldest transaction. While storage is unreachable, the last value remains. */
export const makeTransactionAge: Effect.Effect<Effect.Effect<void>, never, StorageHealth> = Effect.map(
  StorageHealth,
  ({ oldestTransaction }) => {
    let askedAt: SteadyInstant = Number.NEGATIVE_INFINITY
    return Effect.gen(function* () {
      const now = yield* steadyNow
      if (oldestTransaction === undefined || now - askedAt < every) return
      askedAt = now
      yield* Metric.update(age, (yield* oldestTransaction) / seconds(1))
    }).pipe(Effect.timeout("1 second"), Effect.ignore)
  }
)
