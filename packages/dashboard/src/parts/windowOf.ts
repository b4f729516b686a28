/** Range of drawn rows: from `first` (inclusive) to `end` (exclusive). */
export interface Window {
  readonly first: number
  readonly end: number
}

interface Looked {
  readonly count: number
  readonly rowHeight: number
  /** Height of the list below its header. */
  readonly scrollTop: number
  readonly height: number
}

/** Extra rows drawn on either side. */
const spare = 6

/** The visible rows, with some extra. */
export const windowOf = ({ count, height, rowHeight, scrollTop }: Looked): Window => {
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + spare)
  return { first: Math.max(0, Math.min(Math.floor(scrollTop / rowHeight) - spare, end - 1)), end }
}

/** The row that a key moves to, or null when the key does nothing. */
export const stepOf = (key: string, from: number, { count, page }: { count: number; page: number }): number | null => {
  const to = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: count - 1
  }[key]
  return to === undefined || count === 0 ? null : Math.min(count - 1, Math.max(0, to))
}

/** Scroll position that makes a row fully visible, or null when it is already. */
export const scrollTo = (
  row: number,
  { height, rowHeight, scrollTop }: Pick<Looked, "height" | "rowHeight" | "scrollTop">
): number | null => {
  const [top, bottom] = [row * rowHeight, (row + 1) * rowHeight]
  return top < scrollTop ? top : bottom > scrollTop + height ? bottom - height : null
}
