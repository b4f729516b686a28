import { Clock, Context, Effect, Exit, Layer } from "effect"
import type { Contended } from "../storage/Contended.ts"
import { logStoreError } from "../storage/logStoreError.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { Turns } from "../storage/Turns.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import { hours, type Instant } from "../time/Instant.ts"
import { type SteadyInstant, steadyNow, stopwatch } from "../time/steadyTime.ts"
import { LocalCounts } from "./LocalCounts.ts"
import { RateLimited } from "./RateLimited.ts"
import { giveBack, newestOf, take, type Window } from "./Window.ts"
import { WindowStore } from "./WindowStore.ts"

/** One of the `most` places that a key has within any 60 minutes. */
export interface Place {
  readonly key: string
  readonly most: number
  /** The limit that a refusal names when the key has no place left. */
  readonly limit: RateLimited["limit"]
  /**
   * Where places are counted: exactly in storage, over all processes, or separately in each process. Keys shared by
   * many people are counted in the process, because in storage all requests would wait for one row.
   */
  readonly countedIn: "storage" | "process"
}

/** Places that the caller holds for the hour. */
export interface Taken {
  /**
   * Returns the places when the request is rejected for another reason. A second call has no effect. It never fails:
   * when storage does not answer, it logs this and the places stay taken for their hour.
   */
  readonly giveBack: Effect.Effect<void>
}

type TakeFailure = RateLimited | Contended | StoreError

/** The result of `look`: places that were free at that moment. */
export interface Seen {
  /**
   * Takes all places, or none. Reuses the loaded windows: another read is needed only when another request committed
   * first.
   */
  readonly take: Effect.Effect<Taken, TakeFailure>
  /** Takes all places for an effect. Returns them when the effect fails, or when its result does not count. */
  readonly during: <A, E, R>(
    effect: Effect.Effect<A, E, R>,
    counts?: (answer: A) => boolean
  ) => Effect.Effect<A, E | TakeFailure, R>
}

const purgeEvery = hours(1)
/** A window is obsolete after an hour. It is kept for two, because the clocks of processes differ. */
const keptFor = hours(2)

const full = ({ limit }: Place, retryAfterSeconds: number) =>
  new RateLimited({ limit, retryAfterSeconds, requestId: null })

/**
 * Enforces hourly limits, exactly and across all processes.
 *
 * @example
 * ```ts
 * import { Limits, type Place } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const admit = Effect.fnUntraced(function* (environment: string, places: ReadonlyArray<Place>) {
 *   const limits = yield* Limits
 *   const { giveBack } = yield* limits.take(environment, places) // all of them, or none
 *   return giveBack
 * })
 * ```
 */
export class Limits extends Context.Service<
  Limits,
  {
    /** Takes several places together: all or none. Concurrent callers never take more than a key has in storage. */
    readonly take: (environment: string, places: ReadonlyArray<Place>) => Effect.Effect<Taken, TakeFailure>
    /** Returns the newest stored place of `key`, which another request took. Like `Taken.giveBack` it never fails. */
    readonly giveBack: (environment: string, key: string) => Effect.Effect<void>
    /**
     * Checks whether all places are free, without taking any. For requests that must not write before all other checks
     * have passed.
     */
    readonly look: (environment: string, places: ReadonlyArray<Place>) => Effect.Effect<Seen, RateLimited | StoreError>
  }
>()("@countersign/core/limit/Limits") {
  static readonly layer: Layer.Layer<Limits, never, WindowStore> = Layer.effect(
    Limits,
    Effect.gen(function* () {
      const store = yield* WindowStore
      const turns = new Turns()
      const local = new LocalCounts()

      const elapsed = yield* stopwatch
      let startedAt = yield* Clock.currentTimeMillis
      /**
       * A time that is never ahead of the wall clock and otherwise advances with steady time. A clock that jumps ahead
       * therefore purges no window early.
       */
      const sure = Effect.map(Clock.currentTimeMillis, (now) => {
        startedAt = Math.min(startedAt, now - elapsed())
        return startedAt + elapsed()
      })
      yield* sure.pipe(
        Effect.flatMap((now) => store.purge(now - keptFor)),
        Effect.catch((error) => logStoreError("Old rate-limit windows were not deleted", error)),
        Effect.delay(purgeEvery),
        Effect.forever,
        Effect.forkScoped
      )

      const decide = Effect.fnUntraced(function* (window: Window, place: Place) {
        const now = yield* Clock.currentTimeMillis
        const outcome = take(window, place.most, now)
        if (outcome._tag === "Full") {
          return yield* full(place, Math.max(1, Math.ceil((outcome.retryAt - now) / 1000)))
        }
        return { outcome, now }
      })

      const takeIn = Effect.fnUntraced(function* (window: Window, place: Place) {
        const { now, outcome } = yield* decide(window, place)
        yield* store.save(outcome.next, now)
        return outcome.takenAt
      })

      /** Returns the place taken at `takenAt`, or the newest one when it is omitted. */
      const letGo = (environment: string, key: string, takenAt?: Instant) => {
        const decide = Effect.gen(function* () {
          const window = yield* store.load(environment, key)
          const next = giveBack(window, takenAt ?? newestOf(window))
          if (next !== window) yield* store.save(next, yield* Clock.currentTimeMillis)
        })
        return turns
          .run(`${environment}/${key}`, untilCommitted(decide))
          .pipe(
            Effect.catch((error) =>
              error._tag === "StoreError"
                ? logStoreError("A request was not returned to its rate limit", error)
                : Effect.logWarning("A request was not returned to its rate limit", { reason: error._tag })
            )
          )
      }

      /** Takes a place in storage. Returns the effect that gives it back. */
      const takeStored = Effect.fnUntraced(function* (window: Window, place: Place) {
        const { environment, key } = window
        const turn = `${environment}/${key}`
        const again = Effect.flatMap(store.load(environment, key), (current) => takeIn(current, place))
        // A full window rejects immediately, without waiting for a turn, so that a flood of requests builds no queue.
        const takenAt = yield* Effect.catchTag(takeIn(window, place), "Conflict", () =>
          turns.run(turn, untilCommitted(again))
        )
        return letGo(environment, key, takenAt)
      })

      /** Fails with the first place that is full in this process; null when all are free. */
      const fullLocal = (environment: string, places: ReadonlyArray<Place>, now: SteadyInstant) => {
        for (const place of places) {
          const seconds = local.secondsUntilFree(`${environment}/${place.key}`, place.most, now)
          if (seconds !== null) return full(place, seconds)
        }
        return null
      }

      const lookLocal = (environment: string, places: ReadonlyArray<Place>) =>
        Effect.flatMap(steadyNow, (now) => fullLocal(environment, places, now) ?? Effect.void)

      /**
       * Returns the effects that give the places back. The check and the count run in one step, so no other request
       * comes between.
       */
      const takeLocal = (environment: string, places: ReadonlyArray<Place>) =>
        Effect.flatMap(steadyNow, (now) => {
          const refused = fullLocal(environment, places, now)
          if (refused !== null) return refused
          return Effect.succeed(places.map(({ key }) => Effect.sync(local.count(`${environment}/${key}`, now))))
        })

      /** A single item runs sequentially, which saves a fiber. */
      const each = <A, B, E>(items: ReadonlyArray<A>, effect: (item: A) => Effect.Effect<B, E>) =>
        Effect.forEach(items, effect, { concurrency: items.length > 1 ? "unbounded" : 1 })

      const look = Effect.fnUntraced(function* (environment: string, places: ReadonlyArray<Place>) {
        const inProcess = places.filter(({ countedIn }) => countedIn === "process")
        const inStorage = places.filter(({ countedIn }) => countedIn === "storage")
        yield* lookLocal(environment, inProcess)
        // Reads that start together share one statement.
        const windows = yield* each(inStorage, (place) =>
          Effect.flatMap(store.load(environment, place.key), (window) =>
            Effect.as(decide(window, place), { place, window })
          )
        )

        const takeAll = Effect.gen(function* () {
          const backLocal = yield* takeLocal(environment, inProcess)
          const exits = yield* each(windows, ({ place, window }) => Effect.exit(takeStored(window, place)))
          const back = [...backLocal, ...exits.flatMap((exit) => (Exit.isSuccess(exit) ? [exit.value] : []))]
          let isGiven = false
          const taken: Taken = {
            giveBack: Effect.suspend(() => {
              if (isGiven) return Effect.void
              isGiven = true
              return Effect.asVoid(each(back, (one) => one))
            })
          }
          const failed = exits.find(Exit.isFailure)
          if (failed === undefined) return taken
          yield* taken.giveBack
          return yield* Effect.failCause(failed.cause)
        })

        // An interruption must not leave some places taken.
        const taken = Effect.uninterruptible(takeAll)
        const during = <A, E, R>(effect: Effect.Effect<A, E, R>, counts: (answer: A) => boolean = () => true) =>
          Effect.uninterruptibleMask((restore) =>
            Effect.flatMap(taken, ({ giveBack }) =>
              Effect.onExit(restore(effect), (exit) =>
                Exit.isSuccess(exit) && counts(exit.value) ? Effect.void : giveBack
              )
            )
          )
        return { take: taken, during }
      })

      return Limits.of({
        look,
        giveBack: (environment, key) => letGo(environment, key),
        take: (environment, places) => Effect.flatMap(look(environment, places), (seen) => seen.take)
      })
    })
  )
}
