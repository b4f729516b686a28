/** Composes what a set of names needs once, and returns the same for the same names. */
export const composedOnce = <Name extends string, A>(
  compose: (names: ReadonlyArray<Name>) => A
): ((names: ReadonlyArray<Name>) => A) => {
  const composed = new Map<string, A>()
  return (names) => {
    const key = names.join()
    let made = composed.get(key)
    if (made === undefined) composed.set(key, (made = compose(names)))
    return made
  }
}
