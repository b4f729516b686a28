/** Which rows of equal height are drawn: from `first`, and up to `end`, which is not. */
export interface Window {
  readonly first: number
  readonly end: number
}

interface Looked {
  readonly count: number
  readonly rowHeight: number
  /** Of the list, below its head. */
  readonly scrollTop: number
  readonly height: number
}

/** So many more on either side are drawn already when somebody scrolls on. */
const spare = 6

/** The rows that are looked at, with some to spare. */
export const windowOf = ({ count, height, rowHeight, scrollTop }: Looked): Window => {
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + spare)
  return { first: Math.max(0, Math.min(Math.floor(scrollTop / rowHeight) - spare, end - 1)), end }
}

/** Where the keys lead from a row; null: this key leads nowhere. */
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

/** How far the list is to be scrolled so that a row is seen whole; null where it is already. */
export const scrollTo = (
  row: number,
  { height, rowHeight, scrollTop }: Pick<Looked, "height" | "rowHeight" | "scrollTop">
): number | null => {
  const [top, bottom] = [row * rowHeight, (row + 1) * rowHeight]
  return top < scrollTop ? top : bottom > scrollTop + height ? bottom - height : null
}
