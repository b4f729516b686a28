import { Clock, Effect, Layer } from "effect"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import type { ClockStore } from "../../foundation/storage/ClockStore.ts"
import * as Timekeeper from "../../foundation/storage/Timekeeper.ts"
import { days, hours, type Instant } from "../../foundation/time/Instant.ts"
import { leave } from "./attribute.ts"
import { AttributionStore } from "./AttributionStore.ts"
import { loadTrails } from "./loadTrails.ts"
import type { Launch } from "./Launch.ts"

/** The longest period of a report. */
const keptFor = days(400)
const every = hours(1)
const atOnce = 500
/** Few, so that the cleanup does not slow down sign-ins. */
const sideBySide = 4

/**
 * Deletes data older than any report can cover. A launch leaves its trails as after a withdrawal, but its touches stay
 * for their own time. Any number of processes may run it concurrently.
 */
export const layer: Layer.Layer<never, never, AttributionStore | ClockStore | Outbox> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* AttributionStore
    const time = yield* Timekeeper.make
    const commit = yield* Outbox.committer(AttributionStore)

    const forget = ({ environment, id }: Launch) =>
      untilCommitted(
        Effect.gen(function* () {
          const [launch] = yield* store.launches(environment, [id])
          if (launch !== undefined) yield* commit(leave(launch, "forgotten", yield* loadTrails(store, launch)))
        })
      )

    const forgetAll = Effect.fnUntraced(function* (before: Instant) {
      for (;;) {
        const old = yield* store.old(before, atOnce)
        yield* Effect.forEach(old, forget, { concurrency: sideBySide, discard: true })
        if (old.length < atOnce) break
      }
      while ((yield* store.purge(before, atOnce)) === atOnce) yield* Effect.yieldNow
    })

    yield* Clock.currentTimeMillis.pipe(
      Effect.flatMap(time.aged),
      Effect.flatMap((now) => (now === null ? Effect.void : forgetAll(now - keptFor))),
      Effect.catch((error) =>
        error._tag === "StoreError"
          ? logStoreError("Old launches were not deleted", error)
          : Effect.logWarning("Old launches were not deleted", { reason: error._tag })
      ),
      Effect.delay(every),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
