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
  /** What a refusal is called where the key has no place left. */
  readonly limit: RateLimited["limit"]
  /**
   * Where it is counted: in storage exactly, over all processes, or in each process for itself. A key that many people
   * share is counted in the process, because in storage all of them would wait for one row.
   */
  readonly countedIn: "storage" | "process"
}

/** Places in the hour. */
export interface Taken {
  /**
   * Lets the places go, for a request that is refused for another reason after all; doing it again changes nothing. It
   * never fails: where storage does not answer, a place stays taken for its hour, and that is logged.
   */
  readonly giveBack: Effect.Effect<void>
}

type TakeFailure = RateLimited | Contended | StoreError

/** Places that were free when they were looked at. */
export interface Seen {
  /**
   * Takes all of them, or none. What was seen is not read again: another statement is needed only when somebody else was
   * faster.
   */
  readonly take: Effect.Effect<Taken, TakeFailure>
  /** Takes all of them for an effect, and gives them back where it fails, or answers what does not count. */
  readonly during: <A, E, R>(
    effect: Effect.Effect<A, E, R>,
    counts?: (answer: A) => boolean
  ) => Effect.Effect<A, E | TakeFailure, R>
}

const purgeEvery = hours(1)
/** A window is worth nothing once its hour is over; twice that, so that no clock is too far behind. */
const keptFor = hours(2)

const full = ({ limit }: Place, retryAfterSeconds: number) =>
  new RateLimited({ limit, retryAfterSeconds, requestId: null })

/**
 * Counts what may happen so many times an hour, exactly, over any number of processes.
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
    /**
     * Takes several places at once, all or none, in this environment. Of many callers at one instant exactly as many
     * succeed as a key in storage has places.
     */
    readonly take: (environment: string, places: ReadonlyArray<Place>) => Effect.Effect<Taken, TakeFailure>
    /** Lets the newest stored place of `key` go, which another request took. Like `Taken.giveBack` it never fails. */
    readonly giveBack: (environment: string, key: string) => Effect.Effect<void>
    /**
     * Whether all places are free, for requests that must not write before everything else about them is known to be
     * right. Nothing is taken by looking.
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

      /** Lets a place go that was taken at that time; without one, the newest. */
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
                ? logStoreError("A place in a limit was not given back", error)
                : Effect.logWarning("A place in a limit was not given back", { reason: error._tag })
            )
          )
      }

      /** Takes a place in storage; answers what gives it back. */
      const takeStored = Effect.fnUntraced(function* (window: Window, place: Place) {
        const { environment, key } = window
        const turn = `${environment}/${key}`
        const again = Effect.flatMap(store.load(environment, key), (current) => takeIn(current, place))
        // Whoever finds the window full is told so without waiting for a turn: a flood then queues for nothing.
        const takenAt = yield* Effect.catchTag(takeIn(window, place), "Conflict", () =>
          turns.run(turn, untilCommitted(again))
        )
        return letGo(environment, key, takenAt)
      })

      /** The first of the places counted in this process that is full. */
      const fullLocal = (environment: string, places: ReadonlyArray<Place>, now: SteadyInstant) => {
        for (const place of places) {
          const seconds = local.secondsUntilFree(`${environment}/${place.key}`, place.most, now)
          if (seconds !== null) return full(place, seconds)
        }
        return null
      }

      const lookLocal = (environment: string, places: ReadonlyArray<Place>) =>
        Effect.flatMap(steadyNow, (now) => fullLocal(environment, places, now) ?? Effect.void)

      /** Answers what gives them back. In one step, so that no other request comes between the look and the count. */
      const takeLocal = (environment: string, places: ReadonlyArray<Place>) =>
        Effect.flatMap(steadyNow, (now) => {
          const refused = fullLocal(environment, places, now)
          if (refused !== null) return refused
          return Effect.succeed(places.map(({ key }) => Effect.sync(local.count(`${environment}/${key}`, now))))
        })

      /** One after the other where there is one: no fibre is begun for it. */
      const each = <A, B, E>(items: ReadonlyArray<A>, effect: (item: A) => Effect.Effect<B, E>) =>
        Effect.forEach(items, effect, { concurrency: items.length > 1 ? "unbounded" : 1 })

      const look = Effect.fnUntraced(function* (environment: string, places: ReadonlyArray<Place>) {
        const inProcess = places.filter(({ countedIn }) => countedIn === "process")
        const inStorage = places.filter(({ countedIn }) => countedIn === "storage")
        yield* lookLocal(environment, inProcess)
        // Those that are read together travel in one statement.
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

        // Whoever goes away while places are taken must not leave some of them taken.
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
