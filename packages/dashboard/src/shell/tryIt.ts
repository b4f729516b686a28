import { tell } from "../parts/Toast.tsx"
import { may } from "../session/may.ts"
import { signal } from "@preact/signals"

/** Whether "Try it" is open. Any screen can open it; the frame renders it. */
export const tryIt = signal(false)

/** Opens it, or shows why the user's role cannot. */
export const openTryIt = (): void => {
  const refused = may.arrange
  if (refused === undefined) tryIt.value = true
  else tell(refused, { tone: "bad" })
}
