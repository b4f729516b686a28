import { useLayoutEffect, useRef } from "preact/hooks"
import { onNews, type Topic } from "./topics.ts"

interface Patience {
  /** News that follows sooner than this many milliseconds waits, and is one. */
  readonly least: number
  /** Without news it is asked again after so many, while the page is looked at: breakers and queues make no news. */
  readonly most?: number
}

/** Asks again when there is news, at once and then in calm steps, until the answer is called. */
export const keepRenewing = (
  topics: ReadonlyArray<Topic>,
  { least, most }: Patience,
  again: () => void
): (() => void) => {
  let last = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = () => {
    clearTimeout(timer)
    timer = undefined
    last = Date.now()
    again()
  }
  const hear = () => {
    const wait = last + least - Date.now()
    if (wait <= 0) run()
    else timer ??= setTimeout(run, wait)
  }
  const look = () => {
    if (globalThis.document?.visibilityState !== "hidden") hear()
  }
  const stops = topics.map((topic) => onNews(topic, hear))
  const clock = most === undefined ? undefined : setInterval(look, most)
  return () => {
    stops.forEach((stop) => stop())
    clearTimeout(timer)
    clearInterval(clock)
  }
}

/**
 * `keepRenewing` for as long as a component is on the page: for sums, which on a busy day change all the time and would
 * be read by nobody at two seconds each.
 */
export const useRenewal = (topics: ReadonlyArray<Topic>, patience: Patience, again: () => void): void => {
  const latest = useRef(again)
  latest.current = again
  useLayoutEffect(() => keepRenewing(topics, patience, () => latest.current()), [])
}
