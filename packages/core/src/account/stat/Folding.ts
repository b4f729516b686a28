import { Effect, Layer } from "effect"
import { FactStore } from "../../foundation/outbox/FactStore.ts"
import { folding } from "../../foundation/outbox/folding.ts"
import type { Jobs } from "../../foundation/outbox/Jobs.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { seconds } from "../../foundation/time/Instant.ts"
import { kinds } from "./fold.ts"
import { makeFoldSome } from "./foldSome.ts"
import { makeStatMetrics } from "./StatMetrics.ts"
import { StatStore } from "./StatStore.ts"

/**
 * Reads include facts that are not folded yet, so folding is not urgent. It runs rarely and in large batches, which
 * costs storage the least.
 */
const every = seconds(10)

/** Adds facts to their sums. */
export const layer: Layer.Layer<never, never, FactStore | Jobs | Outbox | StatStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const facts = yield* FactStore
    const store = yield* StatStore
    const commit = yield* Outbox.committer(StatStore)
    const metrics = makeStatMetrics()
    const foldSome = makeFoldSome({ commit, facts, store, folded: metrics.count })
    yield* folding({
      name: "stat.fold",
      key: "stat",
      every,
      longestPause: every,
      kinds,
      foldSome,
      done: metrics.done
    })
  })
)
