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

  /** Waits in the queue. `granted` is called when the turn comes. */
  readonly #wait = (queue: Array<() => void>, granted: () => void): Effect.Effect<void> =>
    Effect.callback((resume) => {
      const grant = () => {
        granted()
        // Resume on a new stack: a long queue of short effects would otherwise recurse deeply.
        resume(Effect.yieldNow)
      }
      queue.push(grant)
      return Effect.sync(() => {
        const place = queue.indexOf(grant)
        if (place >= 0) queue.splice(place, 1)
      })
    })

  /** Runs the effect when it is this key's turn. */
  run<A, E, R>(key: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      let isMine = false
      const begin = () => {
        isMine = true
      }
      const inTurn = Effect.suspend(() => {
        const queue = this.#waiting.get(key)
        if (queue !== undefined) return Effect.andThen(this.#wait(queue, begin), effect)
        this.#waiting.set(key, [])
        begin()
        return effect
      })
      // The key is taken inside, so that an interruption at any step gives it back.
      return Effect.onExitPrimitive(inTurn, () => {
        if (isMine) this.#leave(key)
        return undefined
      })
    })
  }
}
