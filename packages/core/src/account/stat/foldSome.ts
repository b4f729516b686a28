import { Effect } from "effect"
import type { Fact } from "../../foundation/outbox/Fact.ts"
import type { FactStore } from "../../foundation/outbox/FactStore.ts"
import type { Committer } from "../../foundation/outbox/Outbox.ts"
import { entriesOf, fold, sumsOf } from "./fold.ts"
import type { StatStore } from "./StatStore.ts"

const atOnce = 2_000

/**
 * Folds the oldest facts of a kind. Returns whether there may be more. Reads the version before the facts: a concurrent
 * fold of the same facts moves the version, and this commit gets a `Conflict`. So each fact is in the sums exactly
 * once, however many processes fold and however often a fold is repeated.
 */
export const makeFoldSome = ({
  commit,
  facts,
  folded,
  store
}: {
  readonly commit: Committer<StatStore["Service"]>
  readonly facts: FactStore["Service"]
  /** Receives the folded facts. */
  readonly folded?: (facts: ReadonlyArray<Fact>) => void
  readonly store: Pick<StatStore["Service"], "buckets" | "version">
}) =>
  Effect.fnUntraced(function* (kind: string, environment: string) {
    const version = yield* store.version(environment)
    const page = yield* facts.list({ kind, environment, after: null, limit: atOnce })
    if (page.length === 0) return false
    const sums = sumsOf(page)
    const storedBuckets = yield* store.buckets(environment, [...sums.values()])
    yield* commit(fold(environment, version, storedBuckets, sums, page))
    folded?.(page)
    // Otherwise an entry of another version would block folding forever.
    for (const { key } of page.filter((fact) => entriesOf(fact).length === 0)) {
      yield* Effect.logError("A fact could not be read and was omitted from statistics", { environment, kind, key })
    }
    return page.length === atOnce
  })
