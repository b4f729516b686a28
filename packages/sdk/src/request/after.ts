/** Runs `then` in so many milliseconds, unless the answer is called before. All waiting in this package is here. */
export const after = (milliseconds: number, then: () => void): (() => void) => {
  const timer = setTimeout(then, milliseconds)
  return () => clearTimeout(timer)
}
