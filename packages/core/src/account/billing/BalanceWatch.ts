import { Clock, Effect, Layer } from "effect"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { Merchants } from "../merchant/Merchants.ts"
import { type JobOutcome, Jobs } from "../../foundation/outbox/Jobs.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { balanceLowKind, warnOfLowBalance } from "./balanceLow.ts"
import { BalanceStore } from "./BalanceStore.ts"
import { Currency } from "./Currency.ts"
import { dayOf } from "./dayOf.ts"

const committed: JobOutcome = { _tag: "Committed" }
const completed: JobOutcome = { _tag: "Completed" }

/** Warns merchants that their balance is low, once for each fall below their threshold. */
export const layer: Layer.Layer<never, never, BalanceStore | Currency | Jobs | Merchants | Outbox> =
  Layer.effectDiscard(
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const store = yield* BalanceStore
      const merchants = yield* Merchants
      const { code: currency } = yield* Currency
      const commit = yield* Outbox.committer(BalanceStore)

      yield* jobs.handle(balanceLowKind, (done) =>
        untilCommitted(
          Effect.gen(function* () {
            const environment = yield* merchants.environment(done.environment)
            if (environment === null) return completed
            const now = yield* Clock.currentTimeMillis
            const { settings } = environment
            const { balance } = yield* store.funds(done.environment, dayOf(settings, now))
            const change = warnOfLowBalance(
              balance,
              settings,
              { currency, done, eventId: Identifier.make("evt", now) },
              now
            )
            if (change === null) return completed
            yield* commit(change)
            return committed
          })
        )
      )
    })
  )
