import { tell } from "../parts/Toast.tsx"
import { may } from "../session/may.ts"
import { signal } from "@preact/signals"

/** Whether "Try it" is open: any screen opens it, and the frame shows it. */
export const tryIt = signal(false)

/** Opens it for whoever may, and says to others why not. */
export const openTryIt = (): void => {
  const refused = may.arrange
  if (refused === undefined) tryIt.value = true
  else tell(refused, { tone: "bad" })
}
