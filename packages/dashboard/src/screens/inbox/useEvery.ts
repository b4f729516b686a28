import { signal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"

/** Whether somebody can see this tab. */
export const isVisible = signal(typeof document === "undefined" || document.visibilityState === "visible")
globalThis.document?.addEventListener(
  "visibilitychange",
  () => (isVisible.value = document.visibilityState === "visible")
)

/** Runs something again and again while the tab is looked at; null never. */
export const useEvery = (ms: number | null, run: () => void): void =>
  useLayoutEffect(() => {
    if (ms === null || !isVisible.value) return
    const timer = setInterval(run, ms)
    return () => clearInterval(timer)
  }, [ms, isVisible.value])
