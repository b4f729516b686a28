interface Page<I> {
  readonly items: ReadonlyArray<I>
  readonly nextCursor: string | null
}

/** For lists with time-based cursors: when the current head was loaded, and the moment of a cursor. */
interface Reach {
  readonly headAt: number
  readonly timeOf: (cursor: string) => number
}

/**
 * Joins the loaded items with a fresh first page. `gap` means that unread items may lie between them, so that only the
 * page is kept. An item that moved to the head appears once.
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
  // A short page without overlap was read down to its cursor, and everything below was already loaded.
  const isSeamless = reach !== null && reach.timeOf(nextCursor) <= reach.headAt
  if (at === -1 && !isSeamless) return { items, gap: true }
  const fresh = new Set(items.map(id))
  const rest = before.slice(at + 1).filter((item) => !fresh.has(id(item)))
  return { items: [...items, ...rest], gap: false }
}
