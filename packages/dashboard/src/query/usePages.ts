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

/** A list that is read page by page, as far as somebody scrolls. */
export interface Pages<I> {
  /** All that was read, in the list's order; null before the first answer. */
  readonly items: ReadonlySignal<ReadonlyArray<I> | null>
  readonly failure: ReadonlySignal<Failure | null>
  readonly busy: ReadonlySignal<boolean>
  /** Whether there is more to read. */
  readonly more: ReadonlySignal<boolean>
  /** How far back it was looked, where the list's cursors say so; null where it is not known, or all was read. */
  readonly reached: ReadonlySignal<number | null>
  /** Several pages in a row held next to nothing: nobody is kept waiting for the next, unless they ask for it. */
  readonly resting: ReadonlySignal<boolean>
  /** What arrived at the head of the list while it was held still. */
  readonly waiting: ReadonlySignal<number>
  readonly readOn: () => void
  readonly refetch: () => void
  /** After one's own deed in the list: what it left is shown, also while the list is held. */
  readonly renew: () => void
  /** While somebody points at, works in or has scrolled the list, nothing in it moves: news waits at its head. */
  readonly hold: (held: boolean) => void
  /** Shows what waits. */
  readonly show: () => void
}

interface Options<I> {
  /** What tells one item from another, to see what is new. */
  readonly id: (item: I) => string
  readonly topics?: ReadonlyArray<Topic>
  /** Of a list whose pages may be short although there is more: the moment that a cursor stands at. */
  readonly timeOf?: (cursor: string) => number
  /** Hears of items that changed, and puts each in its place: how far down it is does not matter. */
  readonly changes?: (put: (item: I) => void) => () => void
}

interface Page<I> {
  readonly items: ReadonlyArray<I>
  readonly nextCursor: string | null
}

const firstPage = 50
/** Who reads on reads far; also the most that the service answers at once. */
const nextPages = 200
/** A page with fewer rows than this is short. */
const few = 10
/** So many short pages in a row, and the next is asked for by hand. */
const mostShort = 5
/** Changes are gathered for so long: each is a look at all that was read. */
const gathered = 300

export const makePages = <N extends Listed>(
  name: N,
  input: () => Input<N> | null,
  { changes, id, timeOf, topics = [] }: Options<Item<N>>
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
  let fresh: Page<I> | null = null
  let known = new Set<string>()
  let held = false
  /** What is asked for is to be shown wherever the pointer is. */
  let isOwn = false
  let abort = new AbortController()
  let behind = false
  let short = 0
  const told = new Map<string, I>()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** When the head of what is shown was asked for. */
  let headAt = 0

  const ask = async (wanted: Input<N>, from: string | null): Promise<Page<I> | null> => {
    abort.abort()
    const mine = (abort = new AbortController())
    behind = false
    busy.value = true
    const query = {
      limit: from === null ? firstPage : nextPages,
      ...(wanted as { readonly query?: object }).query,
      ...(from === null ? {} : { cursor: from })
    }
    const reply = await call(name, { ...(wanted as object), query } as Input<N>, mine.signal, undefined, place)
    if (mine.signal.aborted) return null
    batch(() => {
      busy.value = false
      failure.value = reply.ok ? null : reply.failure
    })
    return reply.ok ? (reply.body as unknown as Page<I>) : null
  }

  const goTo = (next: string | null) => {
    cursor.value = next
    more.value = next !== null
    reached.value = next === null || timeOf === undefined ? null : timeOf(next)
  }

  /** The first page takes the place of what it overlaps; after a gap the list begins anew. */
  const put = (page: Page<I>) => {
    const { gap, items: all } = joined(items.peek() ?? [], page, id, timeOf === undefined ? null : { headAt, timeOf })
    batch(() => {
      fresh = null
      isOwn = false
      waiting.value = 0
      items.value = all
      known = new Set(all.map(id))
      if (!gap) return
      goTo(page.nextCursor)
      resting.value = false
      short = 0
    })
  }

  /** Items that are shown already, as they are now. */
  const change = (changed: ReadonlyMap<string, I>) => {
    items.value = (items.peek() ?? []).map((item) => changed.get(id(item)) ?? item)
  }

  const first = async (wanted: Input<N> | null, again: boolean) => {
    if (wanted === null) return abort.abort()
    if (!again) {
      batch(() => ((items.value = null), goTo(null), (waiting.value = 0), (resting.value = false)))
      ;[fresh, headAt, short] = [null, 0, 0]
    }
    const asked = Date.now()
    const page = await ask(wanted, null)
    if (page !== null) {
      if (again && held && !isOwn && (items.peek()?.length ?? 0) > 0) {
        batch(() => {
          fresh = page
          waiting.value = page.items.filter((item) => !known.has(id(item))).length
          change(new Map(page.items.map((item) => [id(item), item])))
        })
      } else put(page)
      headAt = asked
    }
    if (behind) refetch()
  }
  const refetch = () => {
    if (busy.peek()) behind = true
    else void first(untracked(input), true)
  }
  const renew = () => {
    isOwn = true
    refetch()
  }
  const next = async (wanted: Input<N>, from: string) => {
    const page = await ask(wanted, from)
    if (page !== null)
      batch(() => {
        const unseen = page.items.filter((item) => !known.has(id(item)))
        for (const item of unseen) known.add(id(item))
        items.value = [...(items.peek() ?? []), ...unseen]
        goTo(page.nextCursor)
        short = unseen.length < few ? short + 1 : 0
        resting.value = page.nextCursor !== null && short >= mostShort
      })
    if (behind) refetch()
  }
  const readOn = () => {
    const [wanted, from] = [untracked(input), cursor.peek()]
    if (wanted === null || from === null || busy.peek()) return
    if (resting.peek()) [resting.value, short] = [false, 0]
    void next(wanted, from)
  }
  const show = () => {
    if (fresh !== null) put(fresh)
  }
  const hold = (now: boolean) => {
    held = now
    if (!now) show()
  }
  const heard = (item: I) => {
    if (!known.has(id(item))) return
    told.set(id(item), item)
    timer ??= setTimeout(() => {
      timer = undefined
      change(told)
      told.clear()
    }, gathered)
  }
  const start = () => {
    const stops = [
      effect(() => {
        const wanted = input()
        untracked(() => void first(wanted, false))
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
