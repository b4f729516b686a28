import { after } from "./after.ts"

/**
 * Waits the given milliseconds, or until the signal aborts or the page emits one of the events. React Native has no such
 * events.
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
