import { Effect } from "effect"
import type { Trip } from "../foundation/guard/Trip.ts"
import { mostListed, type TripStore } from "../auth/verification/TripStore.ts"
import { Conflict } from "../foundation/storage/Conflict.ts"
import type { MemoryOutbox } from "./MemoryOutbox.ts"

const keyOf = ({ environment, place, reason }: Pick<Trip, "environment" | "place" | "reason">) =>
  JSON.stringify([environment, reason, place])

/** The guard's trips of one memory storage. */
export const makeTripStore = (outbox: MemoryOutbox): TripStore["Service"] => {
  const trips = new Map<string, Trip>()

  return {
    list: (environment, after) =>
      Effect.sync(() =>
        structuredClone(
          [...trips.values()]
            .filter((trip) => trip.environment === environment && trip.until > after)
            .sort((a, b) => b.until - a.until || (keyOf(a) < keyOf(b) ? -1 : 1))
            .slice(0, mostListed)
        )
      ),
    get: (environment, reason, place) =>
      Effect.sync(() => structuredClone(trips.get(keyOf({ environment, place, reason })) ?? null)),
    commit: (change) =>
      Effect.suspend(() => {
        const { trip } = change
        const key = keyOf(trip)
        if ((trips.get(key)?.version ?? 0) !== trip.version) return Effect.fail(new Conflict({ key }))
        return outbox.write(change, () => {
          const stored = structuredClone({ ...trip, version: trip.version + 1 })
          trips.set(key, stored)
          return structuredClone(stored)
        })
      }),
    purge: (before) =>
      Effect.sync(() => {
        const old = [...trips].filter(([, { until }]) => until < before)
        for (const [key] of old) trips.delete(key)
        return old.length
      })
  }
}
