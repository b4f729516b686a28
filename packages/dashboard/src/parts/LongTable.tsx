import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { useKeys } from "../keys/useKeys.ts"
import type { Pages } from "../query/usePages.ts"
import { say } from "../words/say.ts"
import { Button } from "./Button.tsx"
import { footOf } from "./footOf.ts"
import { Refusal } from "./Loaded.tsx"
import type { Column } from "./Table.tsx"
import { scrollTo, stepOf, windowOf } from "./windowOf.ts"

interface Props<R> {
  readonly caption: string
  readonly columns: ReadonlyArray<Column<R>>
  readonly pages: Pages<R>
  readonly id: (row: R) => string
  /** Link of a row. The whole row is clickable, and arrow keys move between rows. */
  readonly href?: (row: R) => string
  readonly current?: string | undefined
  /** The screen handles j and k itself. */
  readonly steered?: boolean
  readonly empty: ComponentChildren
  /** Row height in rem. Equal heights allow scrolling without measuring. */
  readonly rowHeight?: number
}

/** Where lists were left by a link of a row, by address and caption, until the way back. */
const left = new Map<string, { readonly top: number; readonly id: string }>()

/** Whether fingers press here. Then a row is at least 44 px high. */
const isCoarse = matchMedia("(pointer: coarse)").matches
const leastCoarse = 2.75

/** Number of remaining rows at which the next page is loaded. */
const ahead = 30

/** Scroll position and row height of the list. */
const useLook = (rowHeight: number) => {
  const scroll = useRef<HTMLDivElement>(null)
  const [look, setLook] = useState({ scrollTop: 0, height: 0, rowHeight: rowHeight * 16 })
  const read = () => {
    const element = scroll.current
    if (element === null) return
    const head = element.firstElementChild?.clientHeight ?? 0
    const now = {
      scrollTop: element.scrollTop,
      height: element.clientHeight - head,
      rowHeight: rowHeight * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    }
    setLook((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now))
  }
  return { look, read, scroll }
}

/**
 * An endless list. It draws only visible rows, loads more while the user scrolls, and does not move under the pointer.
 * Screen readers get a table with row numbers. With links it is a single Tab stop, and arrow keys move between rows.
 */
export function LongTable<R>({
  caption,
  columns,
  current,
  empty,
  href,
  id,
  pages,
  rowHeight: wantedHeight = 2.5,
  steered = false
}: Props<R>) {
  const rowHeight = isCoarse ? Math.max(wantedHeight, leastCoarse) : wantedHeight
  const { look, read, scroll } = useLook(rowHeight)
  const active = useRef({ index: 0, id: "", wanted: false })
  const [, redraw] = useState(0)
  const rows = pages.items.value
  const total = rows?.length ?? 0
  const isThere = rows !== null && (total > 0 || pages.more.value)

  useLayoutEffect(() => {
    const element = scroll.current
    if (element === null) return
    read()
    const observer = new ResizeObserver(read)
    observer.observe(element)
    return () => observer.disconnect()
  }, [isThere])

  const hold = useRef({ pointed: false, focused: false, scrolled: false })
  const held = () => pages.hold(Object.values(hold.current).some(Boolean))
  const { end, first } = windowOf({ count: total, ...look })
  const { busy, failure, more, reached, resting } = pages
  useLayoutEffect(() => {
    const isNear = end >= total - ahead && look.height > 0
    if (more.value && !busy.value && !resting.value && failure.value === null && isNear) pages.readOn()
  })

  // Keep the same row focused when new rows arrive above it.
  const at = active.current
  if (rows !== null && at.id !== "" && (rows[at.index] === undefined || id(rows[at.index]!) !== at.id))
    at.index = Math.max(
      0,
      rows.findIndex((row) => id(row) === at.id)
    )
  const move = (to: number) => {
    const [element, row] = [scroll.current, pages.items.peek()?.[to]]
    if (element === null || row === undefined) return
    active.current = { index: to, id: id(row), wanted: true }
    const top = scrollTo(to, look)
    if (top !== null) element.scrollTop = top
    redraw((n) => n + 1)
  }
  useLayoutEffect(() => {
    if (!active.current.wanted) return
    active.current.wanted = false
    scroll.current?.querySelector<HTMLElement>("a[tabindex='0']")?.focus({ preventScroll: true })
  })
  // Scroll the item that is open beside the list into view, and continue keyboard navigation from it.
  const opened = current === undefined ? -1 : (rows?.findIndex((row) => id(row) === current) ?? -1)
  useLayoutEffect(() => {
    const element = scroll.current
    if (element === null || opened === -1 || look.height <= 0) return
    active.current = { ...active.current, index: opened, id: current! }
    const top = scrollTo(opened, look)
    if (top !== null) element.scrollTop = top
    redraw((n) => n + 1)
  }, [current, rows === null, look.height > 0])
  /** The button disappears when pressed, so move the focus to the newest row. */
  const showNew = () => {
    const isByKey = document.activeElement?.matches(":focus-visible") === true
    if (scroll.current !== null) scroll.current.scrollTop = 0
    hold.current = { ...hold.current, focused: false, scrolled: false }
    pages.show()
    if (isByKey) move(0)
  }
  // The way back from a row leads to the same place, and loads the rows above it when they are no longer there.
  const place = `${location.pathname}${location.search} ${caption}`
  const returning = useRef(left.get(place))
  useLayoutEffect(() => {
    const [element, wanted] = [scroll.current, returning.current]
    if (element === null || wanted === undefined || rows === null || look.height <= 0) return
    left.delete(place)
    element.scrollTop = wanted.top
    if (element.scrollTop < wanted.top - 1 && more.value && !resting.value) return
    returning.current = undefined
    const index = rows.findIndex((row) => id(row) === wanted.id)
    if (index !== -1) active.current = { index, id: wanted.id, wanted: document.activeElement === document.body }
    read()
    redraw((n) => n + 1)
  })
  const leave = (row: R) => left.set(place, { top: scroll.current?.scrollTop ?? 0, id: id(row) })
  const isAt = () => scroll.current?.contains(document.activeElement) === true
  useKeys(
    href === undefined || steered || total === 0
      ? {}
      : {
          j: [say.nextRow, () => move(isAt() ? active.current.index + 1 : active.current.index)],
          k: [say.rowBefore, () => move(isAt() ? active.current.index - 1 : active.current.index)]
        }
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || href === undefined) return
    const page = Math.max(1, Math.floor(look.height / look.rowHeight) - 1)
    const to = stepOf(event.key, active.current.index, { count: total, page })
    if (to === null) return
    event.preventDefault()
    move(to)
  }

  if (rows === null)
    return failure.value === null ? (
      <p class="waiting">{say.loading}…</p>
    ) : (
      <Refusal failure={failure.value} again={pages.refetch} />
    )
  const shown = Array.from({ length: end - first }, (_, n) => first + n)
  if (at.index < total && href !== undefined && (at.index < first || at.index >= end)) shown.push(at.index)
  const foot = isThere ? footOf({ total, reached: reached.value, resting: resting.value }) : ""
  return (
    <div
      class="long"
      onPointerEnter={() => ((hold.current.pointed = true), held())}
      onPointerLeave={() => ((hold.current.pointed = false), held())}
      onFocusIn={() => ((hold.current.focused = true), held())}
      onFocusOut={() => ((hold.current.focused = false), held())}
    >
      {failure.value === null ? null : <Refusal failure={failure.value} again={pages.refetch} />}
      {!isThere ? (
        empty
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it has one of two roles
        <div
          ref={scroll}
          class="long-scroll"
          role={href === undefined ? "table" : "grid"}
          aria-label={caption}
          aria-rowcount={more.value ? -1 : total + 1}
          aria-busy={busy.value || undefined}
          tabIndex={href === undefined || total === 0 ? 0 : undefined}
          style={{ "--columns": columns.length, "--row": `${rowHeight}rem`, "--rows": total }}
          onKeyDown={onKeyDown}
          onPointerDown={() => (returning.current = undefined)}
          onWheel={() => (returning.current = undefined)}
          onScroll={() => {
            read()
            const scrolled = (scroll.current?.scrollTop ?? 0) > 0
            if (scrolled === hold.current.scrolled) return
            hold.current.scrolled = scrolled
            held()
          }}
        >
          <div class="long-head" role="row" aria-rowindex={1}>
            {columns.map(({ drop, number, title }) => (
              <span key={title} role="columnheader" class={number ? "number" : undefined} data-drop={drop}>
                {title}
              </span>
            ))}
          </div>
          <div class="long-body" role="rowgroup" style={{ blockSize: `${total * rowHeight}rem` }}>
            {shown.map((index) => {
              const row = rows[index]
              if (row === undefined) return null
              const key = id(row)
              return (
                <div
                  key={key}
                  class="long-row"
                  role="row"
                  aria-rowindex={index + 2}
                  aria-current={key === current || undefined}
                  style={{ translate: `0 ${index * rowHeight}rem` }}
                >
                  {columns.map(({ cell, drop, names, number, title }) => (
                    <span
                      key={title}
                      role={names ? "rowheader" : href === undefined ? "cell" : "gridcell"}
                      class={number ? "number" : undefined}
                      data-drop={drop}
                    >
                      {names && href !== undefined ? (
                        <a
                          href={href(row)}
                          onClick={() => leave(row)}
                          tabIndex={index === at.index ? 0 : -1}
                          onFocus={() => {
                            if (active.current.id === key) return
                            active.current = { index, id: key, wanted: false }
                            redraw((n) => n + 1)
                          }}
                        >
                          {cell(row)}
                        </a>
                      ) : (
                        cell(row)
                      )}
                    </span>
                  ))}
                </div>
              )
            })}
          </div>
        </div>
      )}
      {foot === "" && !resting.value ? null : (
        <p class="long-foot">
          {foot} {resting.value ? <Button onPress={pages.readOn}>{say.do.more}</Button> : null}
        </p>
      )}
      <div class="long-news" role="status">
        {pages.waiting.value === 0 ? null : <Button onPress={showNew}>{say.newOnes(pages.waiting.value)}</Button>}
      </div>
    </div>
  )
}
