import { Cache, Clock, type Duration, Effect, type Exit, MutableHashMap, Option } from "effect"
import { steadyClock, steadyMillis } from "./steadyTime.ts"

/** A cache whose entries expire in steady time. */
export interface SteadyCache<Key, A, E> {
  /** Returns a fresh entry without a step of its own. Undefined when it has to be loaded. */
  readonly peek: (key: Key) => Exit.Exit<A, E> | undefined
  /** Returns a fresh entry, or loads it. */
  readonly get: (key: Key) => Effect.Effect<A, E>
  readonly forget: (key: Key) => Effect.Effect<void>
  readonly forgetAll: Effect.Effect<void>
}

/**
 * Effect's `Cache` in steady time. With the wall clock, a clock set back by five minutes would keep a suspended merchant
 * active for five minutes longer. At its capacity it drops the entries that it loaded first.
 *
 * @example
 * ```ts
 * const cache = yield* SteadyCache.make(store.access, { capacity: 10_000, timeToLive: () => "3 seconds" })
 * const access = yield* cache.get(clientId)
 * ```
 */
export const make = Effect.fnUntraced(function* <Key, A, E>(
  load: (key: Key) => Effect.Effect<A, E>,
  options: {
    readonly capacity: number
    readonly timeToLive: (exit: Exit.Exit<A, E>) => Duration.Input
  }
): Effect.fn.Return<SteadyCache<Key, A, E>> {
  const clock = yield* Clock.Clock
  const inSteadyTime = Effect.provideService(Clock.Clock, steadyClock(clock))
  const cache = yield* Cache.makeWith(load, options)

  const peek = (key: Key): Exit.Exit<A, E> | undefined => {
    const found = MutableHashMap.get(cache.map, key)
    if (Option.isNone(found)) return undefined
    const { expiresAt, fiber } = found.value
    return expiresAt === undefined || steadyMillis(clock) < expiresAt ? fiber.pollUnsafe() : undefined
  }

  return {
    peek,
    get: (key) => Effect.suspend(() => peek(key) ?? inSteadyTime(Cache.get(cache, key))),
    forget: (key) => Cache.invalidate(cache, key),
    forgetAll: Cache.invalidateAll(cache)
  }
})
