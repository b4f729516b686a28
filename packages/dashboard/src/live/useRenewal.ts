import { useLayoutEffect, useRef } from "preact/hooks"
import { onNews, type Topic } from "./topics.ts"

interface Patience {
  /** Events within this many milliseconds of each other cause one refetch. */
  readonly least: number
  /** Maximum time without a refetch while the page is visible. Breakers and queues send no events. */
  readonly most?: number
}

/** Refetches on events, the first immediately and later ones at calm intervals. Returns the stop function. */
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

/** `keepRenewing` while a component is mounted. Use it for totals, which on a busy day change constantly. */
export const useRenewal = (topics: ReadonlyArray<Topic>, patience: Patience, again: () => void): void => {
  const latest = useRef(again)
  latest.current = again
  useLayoutEffect(() => keepRenewing(topics, patience, () => latest.current()), [])
}
