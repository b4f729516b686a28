import { StorageShare } from "@countersign/core/storage"
import { Effect, Exit, Stream } from "effect"
import { ListsBusy } from "./Fault.ts"
import { isStream, type WireResponse } from "./WireResponse.ts"

/** So many reads of one environment run at once in a process. */
const mostAtOnce = 4
/** So many more wait for their turn. A dashboard asks for some ten things when it is opened. */
const mostWaiting = 32

interface Places {
  running: number
  readonly waiting: Array<() => void>
}

/**
 * The places for reads of each environment: one merchant's lists wait for each other, and never for another merchant's.
 * What runs in a place has a share of the storage's connections only, so the others stay free for logins.
 */
export class ListPlaces {
  readonly #environments = new Map<string, Places>()

  readonly #take = (environment: string): Effect.Effect<void, ListsBusy> =>
    Effect.callback<void, ListsBusy>((resume) => {
      const places = this.#environments.get(environment) ?? { running: 0, waiting: [] }
      this.#environments.set(environment, places)
      if (places.running < mostAtOnce) {
        places.running++
        return resume(Effect.void)
      }
      if (places.waiting.length >= mostWaiting) return resume(Effect.fail(new ListsBusy()))
      places.waiting.push(() => resume(Effect.void))
    })

  /** The place passes to the next that waits. */
  #leave(environment: string): void {
    const places = this.#environments.get(environment)!
    const next = places.waiting.shift()
    if (next !== undefined) return next()
    if (--places.running === 0) this.#environments.delete(environment)
  }

  /**
   * Answers a read in a place of its environment. `holdsBody`: a body that is a stream is read from storage as it goes
   * out, and keeps the place until it ends.
   */
  within<E>(
    environment: string,
    holdsBody: boolean,
    answered: Effect.Effect<WireResponse, E>
  ): Effect.Effect<WireResponse, E | ListsBusy> {
    const leave = Effect.sync(() => this.#leave(environment))
    return Effect.uninterruptibleMask((restore) =>
      Effect.gen({ self: this }, function* () {
        // Not interrupted while it waits, so a place that is handed over is never lost.
        yield* this.#take(environment)
        const exit = yield* Effect.exit(restore(Effect.provideService(answered, StorageShare, "lists")))
        if (holdsBody && Exit.isSuccess(exit) && isStream(exit.value.body)) {
          const body = Stream.provideService(exit.value.body, StorageShare, "lists")
          return { ...exit.value, body: Stream.ensuring(body, leave) }
        }
        yield* leave
        return yield* exit
      })
    )
  }
}
