import { signal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"
import * as format from "../words/format.ts"
import { say } from "../words/say.ts"

/** Reference time of relative times. It advances while the tab is visible. */
export const now = signal(Date.now())
let users = 0
let timer: ReturnType<typeof setInterval> | undefined

/** Keeps `now` advancing while a component is mounted. */
export const useNow = (): void =>
  useLayoutEffect(() => {
    if (users++ === 0) timer = setInterval(() => (now.value = Date.now()), 10_000)
    now.value = Date.now()
    return () => {
      if (--users === 0) clearInterval(timer)
    }
  }, [])

interface Props {
  /** A timestamp of the service. Null is shown as "never". */
  readonly at: string | null
  /**
   * `clock` for rows: time, with the date unless it is today. `time`, `date` and `exact` as named. Otherwise relative.
   */
  readonly as?: "ago" | "clock" | "date" | "exact" | "time"
}

/** A time in the viewer's zone, with the exact time as tooltip. */
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
            : format.ago(moment, now.value, Date.now())
  return (
    <time dateTime={at} title={`${format.moment(moment)} ${format.zone}`}>
      {words}
    </time>
  )
}
