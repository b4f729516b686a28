interface Page<I> {
  readonly items: ReadonlyArray<I>
  readonly nextCursor: string | null
}

/** Of a list whose cursors are moments: when the head that is shown was asked for, and what a cursor stands for. */
interface Reach {
  readonly headAt: number
  readonly timeOf: (cursor: string) => number
}

/**
 * What was read of a list, joined with its first page of now. `gap`: there may be items between the two that nobody has
 * read, so that only the page stays. An item that moved to the head is there once.
 */
export const joined = <I>(
  before: ReadonlyArray<I>,
  page: Page<I>,
  id: (item: I) => string,
  reach: Reach | null
): { readonly items: ReadonlyArray<I>; readonly gap: boolean } => {
  const { items, nextCursor } = page
  if (nextCursor === null) return { items, gap: true }
  const last = items.at(-1)
  const at = last === undefined ? -1 : before.findIndex((item) => id(item) === id(last))
  // A short page without an overlap: it looked at everything back to its cursor, and the rest had been looked at before.
  const isSeamless = reach !== null && reach.timeOf(nextCursor) <= reach.headAt
  if (at === -1 && !isSeamless) return { items, gap: true }
  const fresh = new Set(items.map(id))
  const rest = before.slice(at + 1).filter((item) => !fresh.has(id(item)))
  return { items: [...items, ...rest], gap: false }
}
