import { batch, effect, type ReadonlySignal, signal, untracked } from "@preact/signals"
import { useLayoutEffect, useMemo } from "preact/hooks"
import type { Answer, Get, Input } from "../api/Api.ts"
import { call, placeNow } from "../api/call.ts"
import type { Failure } from "../api/Failure.ts"
import { onNews, type Topic } from "../live/topics.ts"

/** A read of the contract: its answer, why there is none, and whether it is being asked. */
export interface Query<A> {
  readonly answer: ReadonlySignal<A | null>
  /** Of the latest ask; the rows before it are still there. */
  readonly failure: ReadonlySignal<Failure | null>
  readonly busy: ReadonlySignal<boolean>
  readonly refetch: () => void
}

/**
 * A read that follows its input and hears of news. Another input aborts the ask before it; news waits for the answer
 * and asks again, because on a busy day there is always news. `input` reads signals and never props; null asks nothing.
 */
export const makeQuery = <N extends Get>(name: N, input: () => Input<N> | null, ...topics: ReadonlyArray<Topic>) => {
  const answer = signal<Answer<N> | null>(null)
  const failure = signal<Failure | null>(null)
  const busy = signal(false)
  const place = placeNow()
  let abort = new AbortController()
  let behind = false
  const ask = async (wanted: Input<N> | null, again: boolean) => {
    abort.abort()
    const mine = (abort = new AbortController())
    behind = false
    busy.value = wanted !== null
    const reply = wanted === null ? null : await call(name, wanted, mine.signal, undefined, place)
    if (reply === null || mine.signal.aborted) return
    // Another filter's rows are no answer to this one; after a failure of the same, the old ones stay.
    const body = reply.ok ? reply.body : again ? answer.peek() : null
    batch(() => {
      answer.value = body
      failure.value = reply.ok ? null : reply.failure
      busy.value = false
    })
    if (behind) refetch()
  }
  const refetch = () => {
    if (busy.peek()) behind = true
    else void ask(untracked(input), true)
  }
  const start = () => {
    const stops = [
      effect(() => {
        const wanted = input()
        untracked(() => void ask(wanted, false))
      }),
      ...topics.map((topic) => onNews(topic, refetch)),
      () => abort.abort()
    ]
    return () => stops.forEach((stop) => stop())
  }
  return { answer, failure, busy, refetch, start }
}

/** `makeQuery` for as long as a component is on the page. */
export const useQuery = <N extends Get>(
  name: N,
  input: () => Input<N> | null,
  ...topics: ReadonlyArray<Topic>
): Query<Answer<N>> => {
  const query = useMemo(() => makeQuery(name, input, ...topics), [])
  useLayoutEffect(query.start, [])
  return query
}
