import { signal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"
import * as format from "../words/format.ts"
import { say } from "../words/say.ts"

/** The time that relative times are relative to. It moves while somebody looks. */
export const now = signal(Date.now())
let users = 0
let timer: ReturnType<typeof setInterval> | undefined

/** Keeps `now` moving for as long as a component that shows it is on the page. */
export const useNow = (): void =>
  useLayoutEffect(() => {
    if (users++ === 0) timer = setInterval(() => (now.value = Date.now()), 10_000)
    now.value = Date.now()
    return () => {
      if (--users === 0) clearInterval(timer)
    }
  }, [])

interface Props {
  /** As the service writes it; null is never. */
  readonly at: string | null
  /** `clock` for rows: the date where it is not today, and the clock; `time` for the clock of any day, `date` for days, `exact` for all; else how long ago. */
  readonly as?: "ago" | "clock" | "date" | "exact" | "time"
}

/** A moment in the viewer's zone, the exact one on hover. */
export function Time({ as = "ago", at }: Props) {
  useNow()
  if (at === null) return <span class="quiet">{say.never}</span>
  const moment = new Date(at)
  const words =
    as === "date"
      ? format.date(moment)
      : as === "exact"
        ? format.moment(moment)
        : as === "time"
          ? format.time(moment)
          : as === "clock"
            ? format.clockOf(moment, now.value)
            : format.ago(moment, now.value)
  return (
    <time dateTime={at} title={`${format.moment(moment)} ${format.zone}`}>
      {words}
    </time>
  )
}
