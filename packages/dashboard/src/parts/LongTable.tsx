import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import type { Pages } from "../query/usePages.ts"
import { say } from "../words/say.ts"
import { Button } from "./Button.tsx"
import { Refusal } from "./Loaded.tsx"
import type { Column } from "./Table.tsx"
import type { ComponentChildren } from "preact"

interface Props<R> {
  readonly caption: string
  readonly columns: ReadonlyArray<Column<R>>
  readonly pages: Pages<R>
  readonly id: (row: R) => string
  /** Where a row leads; the whole row is its link. */
  readonly href?: (row: R) => string
  readonly current?: string | undefined
  readonly empty: ComponentChildren
  /** In rem; rows of one height scroll without measuring. */
  readonly rowHeight?: number
}

const rem = 16
/** So many rows before the end the next page is asked for. */
const ahead = 30

/**
 * A list without an end: rows are drawn where they are looked at, read as far as somebody scrolls, and hold still under
 * the pointer. It is a table for those who hear it, with the row's number in the whole.
 */
export function LongTable<R>({ caption, columns, current, empty, href, id, pages, rowHeight = 2.5 }: Props<R>) {
  const scroll = useRef<HTMLDivElement>(null)
  const [, redraw] = useState(0)
  const virtualizer = useRef<Virtualizer<HTMLDivElement, HTMLElement>>(undefined)
  const rows = pages.items.value
  const total = rows?.length ?? 0
  const options = {
    count: total,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight * rem,
    overscan: 12,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw((n) => n + 1)
  }
  virtualizer.current ??= new Virtualizer(options)
  const list = virtualizer.current
  list.setOptions(options)
  useLayoutEffect(() => list._didMount(), [])
  useLayoutEffect(() => list._willUpdate())

  const hold = useRef({ pointed: false, focused: false, scrolled: false })
  const held = () => pages.hold(Object.values(hold.current).some(Boolean))
  const shown = list.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useLayoutEffect(() => {
    if (pages.more.value && !pages.busy.value && last >= total - ahead) pages.readOn()
  })
  useLayoutEffect(() => {
    hold.current.scrolled = (scroll.current?.scrollTop ?? 0) > 0
  })

  if (rows === null)
    return pages.failure.value === null ? (
      <p class="waiting">{say.loading}…</p>
    ) : (
      <Refusal failure={pages.failure.value} again={pages.refetch} />
    )
  return (
    <div class="long">
      {pages.failure.value === null ? null : <Refusal failure={pages.failure.value} again={pages.refetch} />}
      <div class="long-news" role="status">
        {pages.waiting.value === 0 ? null : (
          <Button
            onPress={() => {
              scroll.current?.scrollTo({ top: 0 })
              pages.show()
            }}
          >
            {say.newOnes(pages.waiting.value)}
          </Button>
        )}
      </div>
      {total === 0 && !pages.more.value ? (
        empty
      ) : (
        <div
          ref={scroll}
          class="long-scroll"
          role="table"
          aria-label={caption}
          aria-rowcount={pages.more.value ? -1 : total + 1}
          aria-busy={pages.busy.value || undefined}
          tabIndex={0}
          style={{ "--columns": columns.length, "--row": `${rowHeight}rem` }}
          onPointerEnter={() => ((hold.current.pointed = true), held())}
          onPointerLeave={() => ((hold.current.pointed = false), held())}
          onFocusIn={() => ((hold.current.focused = true), held())}
          onFocusOut={() => ((hold.current.focused = false), held())}
          onScroll={() => {
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
          <div class="long-body" role="rowgroup" style={{ blockSize: `${list.getTotalSize()}px` }}>
            {shown.map(({ index, start }) => {
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
                  style={{ translate: `0 ${start}px` }}
                >
                  {columns.map(({ cell, drop, names, number, title }) => (
                    <span
                      key={title}
                      role={names ? "rowheader" : "cell"}
                      class={number ? "number" : undefined}
                      data-drop={drop}
                    >
                      {names && href !== undefined ? <a href={href(row)}>{cell(row)}</a> : cell(row)}
                    </span>
                  ))}
                </div>
              )
            })}
          </div>
        </div>
      )}
    </div>
  )
}
