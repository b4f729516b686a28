import { Effect, Option, Stream } from "effect"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { hours, type Instant } from "../../foundation/time/Instant.ts"
import type { BalanceStore } from "./BalanceStore.ts"

/** Selects a part of a ledger, newest entry first. */
export interface LedgerSpan {
  /** Entries before this number. */
  readonly before?: number | null | undefined
  /** Entries at or after this moment. */
  readonly from?: Instant | undefined
  /** Entries before this moment. */
  readonly to?: Instant | undefined
}

type Reads = Pick<BalanceStore["Service"], "ledger">

/**
 * Numbers follow the order of commits, moments that of decisions. The moments of neighbouring entries differ from
 * commit order by no more than this.
 */
const disorder = hours(1)

/**
 * The least number below `before` from which on no entry is older than `to`, found by bisection; `before` when there is
 * none.
 */
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
 * All entries of a span with their neighbours, newest first: the first entry's balance is the balance of the whole
 * ledger up to it, and no entry before `to` comes earlier.
 */
export const readAround = (
  store: Reads,
  environment: string,
  { before = null, from = 0, to }: LedgerSpan,
  pageSize: number
): Stream.Stream<BalanceStore.LedgerEntry, StoreError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const start = to === undefined ? before : yield* startOf(store, environment, before, to)
      return Stream.paginate(start, (number: number | null) =>
        Effect.map(store.ledger(environment, { before: number, limit: pageSize }), (page) => {
          const last = page.at(-1)
          const isOver = page.length < pageSize || last === undefined || last.at < from - disorder
          return [page, isOver ? Option.none() : Option.some(last.number)] as const
        })
      )
    })
  )

/**
 * A ledger's entries, newest first, read page by page as the caller consumes them. Entries added in the meantime have
 * greater numbers and are not included.
 */
export const readLedger = (
  store: Reads,
  environment: string,
  span: LedgerSpan,
  pageSize: number
): Stream.Stream<BalanceStore.LedgerEntry, StoreError> => {
  const { from = 0, to } = span
  return to !== undefined && to <= from
    ? Stream.empty
    : Stream.filter(
        readAround(store, environment, span, pageSize),
        ({ at }) => at >= from && (to === undefined || at < to)
      )
}
