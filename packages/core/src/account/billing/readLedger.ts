import { Effect, Option, Stream } from "effect"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { hours, type Instant } from "../../foundation/time/Instant.ts"
import type { BalanceStore } from "./BalanceStore.ts"

/** Which part of a ledger is read, the newest entry first. */
export interface LedgerSpan {
  /** Entries of before that number. */
  readonly before?: number | null | undefined
  /** Entries of that moment and later ones. */
  readonly from?: Instant | undefined
  /** Entries of before that moment. */
  readonly to?: Instant | undefined
}

type Reads = Pick<BalanceStore["Service"], "ledger">

/**
 * Numbers follow the order of commits, moments that of decisions. An entry's moment is no further than this from those of
 * the entries that were committed with it.
 */
const disorder = hours(1)

/** The least number below `before` from which on no entry is of before `to`, found by halves; `before` where none is. */
const startOf = Effect.fnUntraced(function* (store: Reads, environment: string, before: number | null, to: Instant) {
  const last = (number: number | null) =>
    Effect.map(store.ledger(environment, { before: number, limit: 1 }), ([newest]) => newest)
  const isLate = (entry: BalanceStore.LedgerEntry) => entry.at >= to + disorder
  const newest = yield* last(before)
  if (newest === undefined || !isLate(newest)) return before
  let [early, late] = [0, newest.number]
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2)
    const entry = yield* last(middle + 1)
    if (entry !== undefined && isLate(entry)) late = middle
    else early = middle
  }
  return late
})

/**
 * A ledger's entries, the newest first, read a page at a time as they are taken. Entries that are added meanwhile have
 * greater numbers than the first, and are not among them.
 */
export const readLedger = (
  store: Reads,
  environment: string,
  { before = null, from = 0, to }: LedgerSpan,
  pageSize: number
): Stream.Stream<BalanceStore.LedgerEntry, StoreError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      if (to !== undefined && to <= from) return Stream.empty
      const start = to === undefined ? before : yield* startOf(store, environment, before, to)
      const pages = Stream.paginate(start, (number: number | null) =>
        Effect.map(store.ledger(environment, { before: number, limit: pageSize }), (page) => {
          const last = page.at(-1)
          const isOver = page.length < pageSize || last === undefined || last.at < from - disorder
          return [page, isOver ? Option.none() : Option.some(last.number)] as const
        })
      )
      return Stream.filter(pages, ({ at }) => at >= from && (to === undefined || at < to))
    })
  )
