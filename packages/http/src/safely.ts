/**
 * Calls user code that must not fail the caller, whether it throws or rejects. An unhandled rejection would end the
 * process.
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
