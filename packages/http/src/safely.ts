/**
 * Calls what belongs to somebody else and must not end what we do, be it at once or later: an async function that fails
 * would otherwise be a rejection that nobody handles, which ends the process.
 */
export const safely = <A>(run: () => A): A | undefined => {
  try {
    const answer = run()
    if (answer instanceof Promise) answer.catch(() => {})
    return answer
  } catch {
    return undefined
  }
}
