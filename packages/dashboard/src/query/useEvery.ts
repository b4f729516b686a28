import { signal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"

/** Whether somebody can see this tab. */
export const isVisible = signal(typeof document === "undefined" || document.visibilityState === "visible")
globalThis.document?.addEventListener(
  "visibilitychange",
  () => (isVisible.value = document.visibilityState === "visible")
)

/** Runs again and again while somebody looks at the page, for what no news tells of. Null: not now. */
export const useEvery = (ms: number | null, run: () => void): void => {
  // What it runs may have changed with the last render; the beat stays the same.
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
