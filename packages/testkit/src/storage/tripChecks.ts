import { Conflict, noRecords, type Trip, TripStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Race from "../Race.ts"
import { fresh, noon } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

export const tripOf = (environment: string, fields: Partial<Trip> = {}): Trip => ({
  environment,
  reason: "PREFIX_UNVERIFIED",
  place: "99891234",
  version: 0,
  since: noon,
  until: noon + 12 * 3_600_000,
  codes: 6,
  typed: 0,
  price: 400,
  enforced: false,
  met: 1,
  endedAt: null,
  mailedAt: null,
  ...fields
})

const save = Effect.fnUntraced(function* (trip: Trip) {
  return yield* (yield* TripStore).commit({ ...noRecords, trip })
})

const first = { environment: "", reason: "PREFIX_UNVERIFIED", place: "99891234" } as const

export const tripChecks = [
  promise(
    "a trip is stored once for each environment, reason and place, and changed at its version",
    Effect.gen(function* () {
      const store = yield* TripStore
      const environment = fresh("env")
      assert.isNull(yield* store.get(environment, first.reason, first.place))
      const made = yield* save(tripOf(environment))
      assert.deepStrictEqual(made, tripOf(environment, { version: 1 }))
      assert.deepStrictEqual(yield* store.get(environment, first.reason, first.place), made)
      assert.instanceOf(yield* Effect.flip(save(tripOf(environment))), Conflict)
      const ended = yield* save({ ...made, met: 40, price: null, endedAt: noon + 1, mailedAt: noon + 2 })
      assert.deepStrictEqual(yield* store.get(environment, first.reason, first.place), ended)
      assert.instanceOf(yield* Effect.flip(save(made)), Conflict)
      // The same digits name another place for another reason and in another environment.
      yield* save(tripOf(environment, { reason: "RANGE_UNVERIFIED" }))
      yield* save(tripOf(fresh("env")))
      assert.strictEqual((yield* store.list(environment, noon)).length, 2)
      for (const place of ["", "\u0000", "\ud800", "%"])
        assert.isNull(yield* store.get(environment, first.reason, place))
    })
  ),
  promise(
    "of 50 processes that store one trip, one succeeds",
    Effect.gen(function* () {
      const environment = fresh("env")
      const race = yield* Race.together(50, (met) => save(tripOf(environment, { met })))
      assert.strictEqual(race.successes.length, 1)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
      assert.deepStrictEqual(yield* (yield* TripStore).list(environment, noon), race.successes)
    })
  ),
  promise(
    "an environment's trips come by their end, the latest first, and old ones are purged",
    Effect.gen(function* () {
      const store = yield* TripStore
      const environment = fresh("env")
      const made = yield* Effect.forEach([3, 1, 2, 2], (until, n) =>
        save(tripOf(environment, { place: `9989${n}`, until: noon + until }))
      )
      const expected = made.toSorted((a, b) => b.until - a.until || (a.place < b.place ? -1 : 1))
      assert.deepStrictEqual(yield* store.list(environment, noon), expected)
      assert.deepStrictEqual(yield* store.list(environment, noon + 1), expected.slice(0, 3))
      assert.deepStrictEqual(yield* store.list(fresh("env"), noon), [])
      assert.isAtLeast(yield* store.purge(noon + 2), 1)
      assert.deepStrictEqual(yield* store.list(environment, noon), expected.slice(0, 3))
    })
  )
]
