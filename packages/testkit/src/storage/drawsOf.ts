/** Pseudo-random numbers that are the same for each run with one seed. */
export const drawsOf = (seed: number) => {
  let state = seed
  const draw = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return { draw, oneOf: <A>(items: ReadonlyArray<A>): A => items[Math.floor(draw() * items.length)]! }
}
