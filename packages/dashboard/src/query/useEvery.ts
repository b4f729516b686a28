import { useLayoutEffect } from "preact/hooks"

/** Runs again and again while somebody looks at the page, for what no news tells of. Null: not now. */
export const useEvery = (ms: number | null, run: () => void): void =>
  useLayoutEffect(() => {
    if (ms === null) return
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") run()
    }, ms)
    return () => clearInterval(timer)
  }, [ms])
