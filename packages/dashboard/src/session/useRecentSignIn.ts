import { useLayoutEffect } from "preact/hooks"
import { askForRecentSignIn } from "./session.ts"

/**
 * For a form whose last step needs a recent sign-in: asks for it when the form opens, before the user types. After "Not
 * now" the form stays, and its last step asks again.
 */
export const useRecentSignIn = (isNeeded = true): void =>
  useLayoutEffect(() => {
    if (isNeeded) askForRecentSignIn()
  }, [isNeeded])
