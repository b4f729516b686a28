import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { Contended } from "../storage/Contended.ts"
import { logStoreError } from "../storage/logStoreError.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { Turns } from "../storage/Turns.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import { hours, type Instant } from "../time/Instant.ts"
import { stopwatch } from "../time/steadyTime.ts"
import { giveBack, take, type Window } from "./Window.ts"
import { WindowStore } from "./WindowStore.ts"

/** The hour holds as many as it may. Nothing was counted. */
export class LimitReached extends Schema.TaggedError<LimitReached>()("LimitReached", {
  retryAfterSeconds: Schema.Int
}) {}

/** A place in the hour. */
export interface Taken {
  /**
   * Lets the place go, for a request that is refused for another reason after all; doing it again changes nothing. It never
   * fails: where storage does not answer, the place stays taken for its hour, and that is logged.
   */
  readonly giveBack: Effect.Effect<void>
}

/** A window that had room when it was looked at. */
export interface Seen {
  /** Takes the place, with what was seen: another statement is needed only when somebody else was faster. */
  readonly take: Effect.Effect<Taken, LimitReached | Contended | StoreError>
}

const purgeEvery = hours(1)
/** A window is worth nothing once its hour is over; twice that, so that no clock is too far behind. */
const keptFor = hours(2)

/**
 * Counts what may happen so many times an hour, exactly, over any number of processes.
 *
 * @example
 * ```ts
 * import { Limits } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const admit = Effect.fnUntraced(function* (environment: string, network: string) {
 *   const limits = yield* Limits
 *   return yield* limits.take(environment, `sdk.initiate:${network}`, 30)
 * })
 * ```
 */
export class Limits extends Context.Service<
  Limits,
  {
    /**
     * Takes one of `limit` places that `key` has within any 60 minutes in this environment. Of many callers at one
     * instant exactly as many succeed as there are places.
     */
    readonly take: (
      environment: string,
      key: string,
      limit: number
    ) => Effect.Effect<Taken, LimitReached | Contended | StoreError>
    /**
     * Whether there is a place, for requests that must not write before everything else about them is known to be
     * right. Nothing is taken by looking.
     */
    readonly look: (environment: string, key: string, limit: number) => Effect.Effect<Seen, LimitReached | StoreError>
  }
>()("@countersign/core/limit/Limits") {
  static readonly layer: Layer.Layer<Limits, never, WindowStore> = Layer.effect(
    Limits,
    Effect.gen(function* () {
      const store = yield* WindowStore
      const turns = new Turns()

      const elapsed = yield* stopwatch
      let startedAt = yield* Clock.currentTimeMillis
      /** No later than the clock was when this began, and steady time since: one that jumps ahead ends no window early. */
      const sure = Effect.map(Clock.currentTimeMillis, (now) => {
        startedAt = Math.min(startedAt, now - elapsed())
        return startedAt + elapsed()
      })
      yield* sure.pipe(
        Effect.flatMap((now) => store.purge(now - keptFor)),
        Effect.catch((error) => logStoreError("Old windows were not forgotten", error)),
        Effect.delay(purgeEvery),
        Effect.forever,
        Effect.forkScoped
      )

      const decide = Effect.fnUntraced(function* (window: Window, limit: number) {
        const now = yield* Clock.currentTimeMillis
        const outcome = take(window, limit, now)
        if (outcome._tag === "Full") {
          return yield* new LimitReached({
            retryAfterSeconds: Math.max(1, Math.ceil((outcome.retryAt - now) / 1000))
          })
        }
        return { outcome, now }
      })

      const takeIn = Effect.fnUntraced(function* (window: Window, limit: number) {
        const { now, outcome } = yield* decide(window, limit)
        yield* store.save(outcome.next, now)
        return outcome.takenAt
      })

      const decideGiveBack = Effect.fnUntraced(function* (environment: string, key: string, takenAt: Instant) {
        const window = yield* store.load(environment, key)
        const next = giveBack(window, takenAt)
        if (next !== window) yield* store.save(next, yield* Clock.currentTimeMillis)
      })

      const takeSeen = Effect.fnUntraced(function* (window: Window, limit: number) {
        const { environment, key } = window
        const turn = `${environment}/${key}`
        const again = Effect.flatMap(store.load(environment, key), (current) => takeIn(current, limit))
        // Whoever finds the window full is told so without waiting for a turn: a flood then queues for nothing.
        const takenAt = yield* Effect.catchTag(takeIn(window, limit), "Conflict", () =>
          turns.run(turn, untilCommitted(again))
        )
        let given = false
        return {
          giveBack: Effect.suspend(() => {
            if (given) return Effect.void
            given = true
            return turns
              .run(turn, untilCommitted(decideGiveBack(environment, key, takenAt)))
              .pipe(
                Effect.catch((error) =>
                  error._tag === "StoreError"
                    ? logStoreError("A place in a limit was not given back", error)
                    : Effect.logWarning("A place in a limit was not given back", { reason: error._tag })
                )
              )
          })
        }
      })

      const look = Effect.fnUntraced(function* (environment: string, key: string, limit: number) {
        const window = yield* store.load(environment, key)
        yield* decide(window, limit)
        return { take: takeSeen(window, limit) }
      })

      return Limits.of({
        look,
        take: (environment, key, limit) =>
          Effect.flatMap(store.load(environment, key), (window) => takeSeen(window, limit))
      })
    })
  )
}
