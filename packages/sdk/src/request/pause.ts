import { after } from "./after.ts"

/**
 * Waits so many milliseconds, or until the signal aborts, or until one of these events of the page: where there are none,
 * as in React Native, that is never.
 */
export const pause = (
  milliseconds: number,
  signal: AbortSignal | undefined,
  events: ReadonlyArray<string> = []
): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      cancel()
      signal?.removeEventListener("abort", done)
      for (const name of events) globalThis.removeEventListener?.(name, done)
      resolve()
    }
    const cancel = after(milliseconds, done)
    signal?.addEventListener("abort", done)
    for (const name of events) globalThis.addEventListener?.(name, done)
  })
