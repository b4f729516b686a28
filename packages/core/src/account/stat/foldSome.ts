import { Effect } from "effect"
import type { Fact } from "../../foundation/outbox/Fact.ts"
import type { FactStore } from "../../foundation/outbox/FactStore.ts"
import type { Door } from "../../foundation/outbox/Outbox.ts"
import { entriesOf, fold, sumsOf } from "./fold.ts"
import type { StatStore } from "./StatStore.ts"

const atOnce = 2_000

/**
 * Folds the oldest facts of a kind; says whether there may be more. The version is read before the facts are: whoever
 * folds some of them meanwhile moves it, and the commit is a `Conflict`. So each fact is in the sums once, however many
 * fold at one instant and however often a fold is repeated.
 */
export const makeFoldSome = ({
  commit,
  facts,
  folded,
  store
}: {
  readonly commit: Door<StatStore["Service"]>
  readonly facts: FactStore["Service"]
  /** Told of what was folded. */
  readonly folded?: (facts: ReadonlyArray<Fact>) => void
  readonly store: Pick<StatStore["Service"], "buckets" | "version">
}) =>
  Effect.fnUntraced(function* (kind: string, environment: string) {
    const version = yield* store.version(environment)
    const found = yield* facts.list({ kind, environment, after: null, limit: atOnce })
    if (found.length === 0) return false
    const sums = sumsOf(found)
    const known = yield* store.buckets(environment, [...sums.values()])
    yield* commit(fold(environment, version, known, sums, found))
    folded?.(found)
    // What another version wrote would otherwise be in the way for ever.
    for (const { key } of found.filter((fact) => entriesOf(fact).length === 0)) {
      yield* Effect.logError("A fact could not be read and was left out of statistics", { environment, kind, key })
    }
    return found.length === atOnce
  })
