import { StorageShare } from "@countersign/core/storage"
import { Effect, Exit, Stream } from "effect"
import { ListsBusy } from "./Fault.ts"
import { isStream, type WireResponse } from "./WireResponse.ts"

/** How many reads of one environment run concurrently in a process. */
const mostAtOnce = 4
/** How many more may wait. A dashboard sends about ten reads when it opens. */
const mostWaiting = 32

/** How many of the places files may hold, so that slow downloads leave places for lists. */
const mostFiles = 2

interface Places {
  running: number
  /** How many of the running reads send a file. */
  files: number
  readonly waiting: Array<() => void>
}

/**
 * Limits concurrent reads per environment, so that one merchant's lists never delay another merchant's. These reads use
 * only a share of the storage's connections, so the rest stays free for logins.
 */
export class ListPlaces {
  readonly #environments = new Map<string, Places>()

  readonly #take = (environment: string): Effect.Effect<void, ListsBusy> =>
    Effect.callback<void, ListsBusy>((resume) => {
      const places = this.#environments.get(environment) ?? { running: 0, files: 0, waiting: [] }
      this.#environments.set(environment, places)
      if (places.running < mostAtOnce) {
        places.running++
        return resume(Effect.void)
      }
      if (places.waiting.length >= mostWaiting) return resume(Effect.fail(new ListsBusy()))
      places.waiting.push(() => resume(Effect.void))
    })

  /** Gives the place to the next waiting read. */
  #leave(environment: string): void {
    const places = this.#environments.get(environment)!
    const next = places.waiting.shift()
    if (next !== undefined) return next()
    if (--places.running === 0) this.#environments.delete(environment)
  }

  /**
   * Answers a read in a place of its environment. With `holdsBody`, a streamed body keeps the place until it ends, because
   * it is read from storage while it is sent. Files hold at most two places; another one is refused.
   */
  within<E>(
    environment: string,
    holdsBody: boolean,
    answered: Effect.Effect<WireResponse, E>
  ): Effect.Effect<WireResponse, E | ListsBusy> {
    const leave = Effect.sync(() => this.#leave(environment))
    return Effect.uninterruptibleMask((restore) =>
      Effect.gen({ self: this }, function* () {
        // Uninterruptible while waiting, so that a place given to this read is never lost.
        yield* this.#take(environment)
        const exit = yield* Effect.exit(restore(Effect.provideService(answered, StorageShare, "lists")))
        if (holdsBody && Exit.isSuccess(exit) && isStream(exit.value.body)) {
          const places = this.#environments.get(environment)!
          if (places.files >= mostFiles) {
            yield* leave
            return yield* new ListsBusy()
          }
          places.files++
          const body = Stream.provideService(exit.value.body, StorageShare, "lists")
          const end = Effect.andThen(
            Effect.sync(() => places.files--),
            leave
          )
          return { ...exit.value, body: Stream.ensuring(body, end) }
        }
        yield* leave
        return yield* exit
      })
    )
  }
}
