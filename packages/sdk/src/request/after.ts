/** Runs `then` after the given milliseconds. Returns a function that cancels it. All waiting in this package uses it. */
export const after = (milliseconds: number, then: () => void): (() => void) => {
  const timer = setTimeout(then, milliseconds)
  return () => clearTimeout(timer)
}
