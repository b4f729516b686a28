import { batch, effect, type ReadonlySignal, signal, untracked } from "@preact/signals"
import { useLayoutEffect, useMemo } from "preact/hooks"
import type { Answer, Get, Input, Item } from "../api/Api.ts"
import { call, placeNow } from "../api/call.ts"
import type { Failure } from "../api/Failure.ts"
import { onNews, type Topic } from "../live/topics.ts"
import { joined } from "./joined.ts"

type Listed = {
  [N in Get]: Answer<N> extends { readonly items: ReadonlyArray<unknown>; readonly nextCursor: string | null }
    ? N
    : never
}[Get]

/** A list that is loaded page by page while the user scrolls. */
export interface Pages<I> {
  /** All loaded items in order, or null before the first answer. */
  readonly items: ReadonlySignal<ReadonlyArray<I> | null>
  readonly failure: ReadonlySignal<Failure | null>
  readonly busy: ReadonlySignal<boolean>
  /** Whether there are more pages. */
  readonly more: ReadonlySignal<boolean>
  /** How far back the list was read, for time-based cursors. Null when unknown or complete. */
  readonly reached: ReadonlySignal<number | null>
  /** Several pages in a row returned almost nothing, so loading more now requires a click. */
  readonly resting: ReadonlySignal<boolean>
  /** Number of new items that arrived while the list was held still. */
  readonly waiting: ReadonlySignal<number>
  readonly readOn: () => void
  readonly refetch: () => void
  /** Applies the user's own change to the list, even while it is held still. */
  readonly renew: () => void
  /** While the user points at, works in or has scrolled the list, nothing moves. New items wait at its head. */
  readonly hold: (held: boolean) => void
  /** Shows the waiting items. */
  readonly show: () => void
}

interface Options<I> {
  /** Identity of an item, to detect new ones. */
  readonly id: (item: I) => string
  readonly topics?: ReadonlyArray<Topic>
  /** For lists whose pages can be short although more follow: the moment of a cursor. */
  readonly timeOf?: (cursor: string) => number
  /** Subscribes to changed items and replaces each in place, at any position. */
  readonly changes?: (put: (item: I) => void) => () => void
  /** The item to show in place of `shown` after a change. Without it, the changed item. */
  readonly merge?: (shown: I, changed: I) => I
}

interface Page<I> {
  readonly items: ReadonlyArray<I>
  readonly nextCursor: string | null
}

const firstPage = 50
/** Page size while scrolling. It is also the service's maximum. */
const nextPages = 200
/** A page with fewer rows than this is short. */
const few = 10
/** After this many short pages in a row, loading more requires a click. */
const mostShort = 5
/** Changes are collected for this long, because applying them walks all loaded items. */
const gathered = 300

export const makePages = <N extends Listed>(
  name: N,
  input: () => Input<N> | null,
  { changes, id, merge = (_, changed) => changed, timeOf, topics = [] }: Options<Item<N>>
) => {
  type I = Item<N>
  const items = signal<ReadonlyArray<I> | null>(null)
  const failure = signal<Failure | null>(null)
  const busy = signal(false)
  const cursor = signal<string | null>(null)
  const more = signal(false)
  const reached = signal<number | null>(null)
  const resting = signal(false)
  const waiting = signal(0)
  const place = placeNow()
  let pendingPage: Page<I> | null = null
  let loadedIds = new Set<string>()
  let isHeld = false
  /** Items that the user asked for are shown even under the pointer. */
  let isUserRequest = false
  let abort = new AbortController()
  let isOutdated = false
  let shortPages = 0
  const changedItems = new Map<string, I>()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** When the displayed head was loaded. */
  let headAt = 0

  const loadPage = async (pageInput: Input<N>, from: string | null): Promise<Page<I> | null> => {
    abort.abort()
    const request = (abort = new AbortController())
    isOutdated = false
    busy.value = true
    const query = {
      limit: from === null ? firstPage : nextPages,
      ...(pageInput as { readonly query?: object }).query,
      ...(from === null ? {} : { cursor: from })
    }
    const reply = await call(name, { ...(pageInput as object), query } as Input<N>, request.signal, undefined, place)
    if (request.signal.aborted) return null
    batch(() => {
      busy.value = false
      failure.value = reply.ok ? null : reply.failure
    })
    return reply.ok ? (reply.body as unknown as Page<I>) : null
  }

  const goTo = (loadNext: string | null) => {
    cursor.value = loadNext
    more.value = loadNext !== null
    reached.value = loadNext === null || timeOf === undefined ? null : timeOf(loadNext)
  }

  /** A fresh first page replaces what it overlaps. After a gap the list restarts from it. */
  const put = (page: Page<I>) => {
    const { gap, items: merged } = joined(
      items.peek() ?? [],
      page,
      id,
      timeOf === undefined ? null : { headAt, timeOf }
    )
    batch(() => {
      pendingPage = null
      isUserRequest = false
      waiting.value = 0
      items.value = merged
      loadedIds = new Set(merged.map(id))
      if (!gap) return
      goTo(page.nextCursor)
      resting.value = false
      shortPages = 0
    })
  }

  /** Updates displayed items in place. */
  const change = (changed: ReadonlyMap<string, I>, next: (shown: I, changed: I) => I = (_, item) => item) => {
    items.value = (items.peek() ?? []).map((item) => {
      const changedItem = changed.get(id(item))
      return changedItem === undefined ? item : next(item, changedItem)
    })
  }

  const loadFirst = async (pageInput: Input<N> | null, isRefresh: boolean) => {
    if (pageInput === null) return abort.abort()
    if (!isRefresh) {
      batch(() => ((items.value = null), goTo(null), (waiting.value = 0), (resting.value = false)))
      ;[pendingPage, headAt, shortPages] = [null, 0, 0]
    }
    const requestedAt = Date.now()
    const page = await loadPage(pageInput, null)
    if (page !== null) {
      if (isRefresh && isHeld && !isUserRequest && (items.peek()?.length ?? 0) > 0) {
        batch(() => {
          pendingPage = page
          waiting.value = page.items.filter((item) => !loadedIds.has(id(item))).length
          change(new Map(page.items.map((item) => [id(item), item])))
        })
      } else put(page)
      headAt = requestedAt
    }
    if (isOutdated) refetch()
  }
  const refetch = () => {
    if (busy.peek()) isOutdated = true
    else void loadFirst(untracked(input), true)
  }
  const renew = () => {
    isUserRequest = true
    refetch()
  }
  const next = async (pageInput: Input<N>, from: string) => {
    const page = await loadPage(pageInput, from)
    if (page !== null)
      batch(() => {
        const unseen = page.items.filter((item) => !loadedIds.has(id(item)))
        for (const item of unseen) loadedIds.add(id(item))
        items.value = [...(items.peek() ?? []), ...unseen]
        goTo(page.nextCursor)
        shortPages = unseen.length < few ? shortPages + 1 : 0
        resting.value = page.nextCursor !== null && shortPages >= mostShort
      })
    if (isOutdated) refetch()
  }
  const readOn = () => {
    const [pageInput, from] = [untracked(input), cursor.peek()]
    if (pageInput === null || from === null || busy.peek()) return
    if (resting.peek()) [resting.value, shortPages] = [false, 0]
    void next(pageInput, from)
  }
  const show = () => {
    if (pendingPage !== null) put(pendingPage)
  }
  const hold = (now: boolean) => {
    isHeld = now
    if (!now) show()
  }
  const heard = (item: I) => {
    if (!loadedIds.has(id(item))) return
    changedItems.set(id(item), item)
    timer ??= setTimeout(() => {
      timer = undefined
      change(changedItems, merge)
      changedItems.clear()
    }, gathered)
  }
  const start = () => {
    const stops = [
      effect(() => {
        const wanted = input()
        untracked(() => void loadFirst(wanted, false))
      }),
      ...topics.map((topic) => onNews(topic, refetch)),
      ...(changes === undefined ? [] : [changes(heard)]),
      () => abort.abort(),
      () => clearTimeout(timer)
    ]
    return () => stops.forEach((stop) => stop())
  }
  return { items, failure, busy, more, reached, resting, waiting, readOn, refetch, renew, hold, show, start }
}

/** `makePages` while a component is mounted. */
export const usePages = <N extends Listed>(
  name: N,
  input: () => Input<N> | null,
  options: Options<Item<N>>
): Pages<Item<N>> => {
  const pages = useMemo(() => makePages(name, input, options), [])
  useLayoutEffect(pages.start, [])
  return pages
}
