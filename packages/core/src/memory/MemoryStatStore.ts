import { Effect } from "effect"
import { placeKey, type StatBucket } from "../account/stat/StatBucket.ts"
import type { StatStore } from "../account/stat/StatStore.ts"
import { Conflict } from "../foundation/storage/Conflict.ts"
import type { MemoryFacts } from "./MemoryFactStore.ts"
import type { MemoryOutbox } from "./MemoryOutbox.ts"

interface Sums {
  readonly version: number
  readonly buckets: Map<string, StatBucket>
}

/** The statistics of one memory storage. */
export const makeStatStore = (outbox: MemoryOutbox, facts: MemoryFacts): StatStore["Service"] => {
  const sums = new Map<string, Sums>()
  const bucketsOf = (environment: string) => sums.get(environment)?.buckets ?? new Map<string, StatBucket>()

  return {
    version: (environment) => Effect.sync(() => sums.get(environment)?.version ?? 0),
    buckets: (environment, places) =>
      Effect.sync(() => {
        const known = bucketsOf(environment)
        return structuredClone(
          places.flatMap((place) => {
            const bucket = known.get(placeKey(place))
            return bucket === undefined ? [] : [bucket]
          })
        )
      }),
    read: ({ environment, from, kinds, latencies, span, to }) =>
      Effect.sync(() => ({
        buckets: structuredClone(
          [...bucketsOf(environment).values()]
            .filter((bucket) => bucket.span === span && bucket.at >= from && bucket.at < to)
            .map((bucket) => (latencies ? bucket : { ...bucket, latencies: {} }))
        ),
        facts: kinds.flatMap((kind) => facts.within(kind, environment, from, to))
      })),
    commit: (change) =>
      Effect.suspend(() => {
        const { buckets, environment, version } = change
        const known = sums.get(environment) ?? { version: 0, buckets: new Map<string, StatBucket>() }
        if (known.version !== version) return Effect.fail(new Conflict({ key: environment }))
        return outbox.write(change, () => {
          for (const bucket of buckets) known.buckets.set(placeKey(bucket), structuredClone(bucket))
          sums.set(environment, { version: version + 1, buckets: known.buckets })
          return version + 1
        })
      })
  }
}
