import { signal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"

/** Whether this tab is visible. */
export const isVisible = signal(typeof document === "undefined" || document.visibilityState === "visible")
globalThis.document?.addEventListener(
  "visibilitychange",
  () => (isVisible.value = document.visibilityState === "visible")
)

/** Runs an action periodically while the page is visible, for changes without events. Null pauses it. */
export const useEvery = (ms: number | null, run: () => void): void => {
  // The action may change with every render; the interval does not.
  const latest = useRef(run)
  useLayoutEffect(() => {
    latest.current = run
  })
  useLayoutEffect(() => {
    if (ms === null || !isVisible.value) return
    const timer = setInterval(() => latest.current(), ms)
    return () => clearInterval(timer)
  }, [ms, isVisible.value])
}
