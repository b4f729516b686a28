import { batch, effect, type ReadonlySignal, signal, untracked } from "@preact/signals"
import { useLayoutEffect, useMemo } from "preact/hooks"
import type { Answer, Get, Input } from "../api/Api.ts"
import { call, placeNow } from "../api/call.ts"
import type { Failure } from "../api/Failure.ts"
import { onNews, type Topic } from "../live/topics.ts"

/** A read of the contract: its answer, its failure, and whether it is loading. */
export interface Query<A> {
  readonly answer: ReadonlySignal<A | null>
  /** The failure of the latest request. The previous answer stays available. */
  readonly failure: ReadonlySignal<Failure | null>
  readonly busy: ReadonlySignal<boolean>
  readonly refetch: () => void
}

/**
 * A read that follows its input and refetches on events. A changed input aborts the running request. An event during a
 * request refetches after it, because on a busy day events never stop. `input` reads signals, not props; null loads
 * nothing.
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
    // Rows of another filter are not an answer to this input. After a failure of the same input, the old rows stay.
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

/** `makeQuery` while a component is mounted. */
export const useQuery = <N extends Get>(
  name: N,
  input: () => Input<N> | null,
  ...topics: ReadonlyArray<Topic>
): Query<Answer<N>> => {
  const query = useMemo(() => makeQuery(name, input, ...topics), [])
  useLayoutEffect(query.start, [])
  return query
}
