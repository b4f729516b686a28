import { batch, effect, type ReadonlySignal, signal, untracked } from "@preact/signals"
import { useLayoutEffect, useMemo } from "preact/hooks"
import type { Answer, Get, Input, Item } from "../api/Api.ts"
import { call } from "../api/call.ts"
import type { Failure } from "../api/Failure.ts"
import { onNews, type Topic } from "../live/topics.ts"

type Listed = {
  [N in Get]: Answer<N> extends { readonly items: ReadonlyArray<unknown>; readonly nextCursor: string | null }
    ? N
    : never
}[Get]

/** A list that is read page by page, as far as somebody scrolls. */
export interface Pages<I> {
  /** All that was read, in the list's order; null before the first answer. */
  readonly items: ReadonlySignal<ReadonlyArray<I> | null>
  readonly failure: ReadonlySignal<Failure | null>
  readonly busy: ReadonlySignal<boolean>
  /** Whether there is more to read. */
  readonly more: ReadonlySignal<boolean>
  /** What arrived at the head of the list while it was held still. */
  readonly waiting: ReadonlySignal<number>
  readonly readOn: () => void
  readonly refetch: () => void
  /** While somebody points at, works in or has scrolled the list, nothing in it moves: news waits at its head. */
  readonly hold: (held: boolean) => void
  /** Shows what waits. */
  readonly show: () => void
}

interface Options<I> {
  /** What tells one item from another, to see what is new. */
  readonly id: (item: I) => string
  readonly topics?: ReadonlyArray<Topic>
}

type AnyPage = { readonly items: ReadonlyArray<unknown>; readonly nextCursor: string | null }

export const makePages = <N extends Listed>(
  name: N,
  input: () => Input<N> | null,
  { id, topics = [] }: Options<Item<N>>
) => {
  const items = signal<ReadonlyArray<Item<N>> | null>(null)
  const failure = signal<Failure | null>(null)
  const busy = signal(false)
  const cursor = signal<string | null>(null)
  const more = signal(false)
  const waiting = signal(0)
  let fresh: { readonly items: ReadonlyArray<Item<N>>; readonly nextCursor: string | null } | null = null
  let held = false
  let abort = new AbortController()
  let behind = false

  const ask = async (wanted: Input<N>, from: string | null) => {
    abort.abort()
    const mine = (abort = new AbortController())
    behind = false
    busy.value = true
    const query = { ...(wanted as { readonly query?: object }).query, ...(from === null ? {} : { cursor: from }) }
    const reply = await call(name, { ...(wanted as object), query } as Input<N>, mine.signal)
    if (mine.signal.aborted) return null
    batch(() => {
      busy.value = false
      failure.value = reply.ok ? null : reply.failure
    })
    return reply.ok
      ? (reply.body as unknown as AnyPage as { items: ReadonlyArray<Item<N>>; nextCursor: string | null })
      : null
  }

  /** The first page takes the place of what it overlaps; without an overlap the list begins anew. */
  const put = (page: { readonly items: ReadonlyArray<Item<N>>; readonly nextCursor: string | null }) => {
    const before = items.peek() ?? []
    const last = page.items.at(-1)
    const at = last === undefined ? -1 : before.findIndex((item) => id(item) === id(last))
    batch(() => {
      fresh = null
      waiting.value = 0
      const isOverlapping = at !== -1 && page.nextCursor !== null
      items.value = isOverlapping ? [...page.items, ...before.slice(at + 1)] : page.items
      if (!isOverlapping) {
        cursor.value = page.nextCursor
        more.value = page.nextCursor !== null
      }
    })
  }

  const first = async (wanted: Input<N> | null, again: boolean) => {
    if (wanted === null) return
    if (!again) batch(() => ((items.value = null), (more.value = false), (waiting.value = 0)))
    const page = await ask(wanted, null)
    if (page !== null) {
      const known = new Set(items.peek()?.map(id))
      const unseen = page.items.filter((item) => !known.has(id(item))).length
      if (again && held && unseen > 0) {
        fresh = page
        waiting.value = unseen
        const changed = new Map(page.items.map((item) => [id(item), item]))
        items.value = (items.peek() ?? []).map((item) => changed.get(id(item)) ?? item)
      } else put(page)
    }
    if (behind) refetch()
  }
  const refetch = () => {
    if (busy.peek()) behind = true
    else void first(untracked(input), true)
  }
  const readOn = () => {
    const [wanted, from] = [untracked(input), cursor.peek()]
    if (wanted === null || from === null || busy.peek()) return
    void ask(wanted, from).then((page) => {
      if (page !== null)
        batch(() => {
          items.value = [...(items.peek() ?? []), ...page.items]
          cursor.value = page.nextCursor
          more.value = page.nextCursor !== null
        })
      if (behind) refetch()
    })
  }
  const show = () => {
    if (fresh !== null) put(fresh)
  }
  const hold = (now: boolean) => {
    held = now
    if (!now) show()
  }
  const start = () => {
    const stops = [
      effect(() => {
        const wanted = input()
        untracked(() => void first(wanted, false))
      }),
      ...topics.map((topic) => onNews(topic, refetch)),
      () => abort.abort()
    ]
    return () => stops.forEach((stop) => stop())
  }
  return { items, failure, busy, more, waiting, readOn, refetch, hold, show, start }
}

/** `makePages` for as long as a component is on the page. */
export const usePages = <N extends Listed>(
  name: N,
  input: () => Input<N> | null,
  options: Options<Item<N>>
): Pages<Item<N>> => {
  const pages = useMemo(() => makePages(name, input, options), [])
  useLayoutEffect(pages.start, [])
  return pages
}
