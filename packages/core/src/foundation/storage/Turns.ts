import { Effect } from "effect"

/**
 * Runs effects of one key one after the other in this process, in order of arrival. Effects of different keys run
 * concurrently. This saves concurrent requests for one person from conflicts. Correctness does not depend on it,
 * because every commit states the version it was decided on.
 */
export class Turns {
  readonly #waiting = new Map<string, Array<() => void>>()

  readonly #leave = (key: string) => {
    const queue = this.#waiting.get(key)
    const next = queue?.shift()
    if (next !== undefined) next()
    else this.#waiting.delete(key)
  }

  readonly #enter = (key: string): Effect.Effect<void> =>
    Effect.callback((resume) => {
      const queue = this.#waiting.get(key)
      if (queue === undefined) {
        this.#waiting.set(key, [])
        return resume(Effect.void)
      }
      let granted = false
      const grant = () => {
        granted = true
        // Resume on a new stack: a long queue of short effects would otherwise recurse deeply.
        resume(Effect.yieldNow)
      }
      queue.push(grant)
      return Effect.sync(() => {
        if (granted) this.#leave(key)
        else queue.splice(queue.indexOf(grant), 1)
      })
    })

  /** Runs the effect when it is this key's turn. */
  run<A, E, R>(key: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(this.#enter(key)), () =>
        Effect.ensuring(
          restore(effect),
          Effect.sync(() => this.#leave(key))
        )
      )
    )
  }
}
