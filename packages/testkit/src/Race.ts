import { Cause, Effect, Exit, Fiber, Latch } from "effect"

/** The outcome of each racer, in order of number. */
export interface Outcomes<A, E> {
  readonly exits: ReadonlyArray<Exit.Exit<A, E>>
  readonly successes: ReadonlyArray<A>
  readonly failures: ReadonlyArray<E>
  /** Outcomes that should never occur: defects and interruptions. */
  readonly defects: ReadonlyArray<unknown>
}

/**
 * Starts `count` effects, holds all of them at a barrier, releases them at the same instant and waits for all of them.
 *
 * @example
 * ```ts
 * import { Race } from "@countersign/testkit"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const { successes, failures } = yield* Race.together(200, () => commit(change))
 *   console.log(successes.length, failures.length) // 1 199
 * })
 * ```
 */
export const together = <A, E, R>(
  count: number,
  racer: (index: number) => Effect.Effect<A, E, R>
): Effect.Effect<Outcomes<A, E>, never, R> =>
  Effect.gen(function* () {
    const line = Latch.makeUnsafe(false)
    const fibers = yield* Effect.forEach(
      Array.from({ length: count }, (_, index) => index),
      (index) => Effect.forkChild(Effect.andThen(line.await, racer(index)), { startImmediately: true })
    )
    line.openUnsafe()
    const exits = yield* Effect.forEach(fibers, (fiber) => Fiber.await(fiber))
    return outcomes(exits)
  })

const outcomes = <A, E>(exits: ReadonlyArray<Exit.Exit<A, E>>): Outcomes<A, E> => {
  const successes: Array<A> = []
  const failures: Array<E> = []
  const defects: Array<unknown> = []
  for (const exit of exits) {
    if (Exit.isSuccess(exit)) {
      successes.push(exit.value)
      continue
    }
    for (const reason of exit.cause.reasons) {
      if (Cause.isFailReason(reason)) failures.push(reason.error)
      else defects.push(reason)
    }
  }
  return { exits, successes, failures, defects }
}
