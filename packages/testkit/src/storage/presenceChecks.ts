import { type Presence, PresenceStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Race from "../Race.ts"
import { fresh, noon } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

const presence = (environment: string, more: Partial<Presence> = {}): Presence => ({
  environment,
  leadId: 1,
  agentId: 7,
  email: "asha@example.com",
  typing: false,
  since: noon,
  seenAt: noon + 1,
  ...more
})

export const presenceChecks = [
  promise(
    "viewers of a lead are listed by agent, with their latest state, per lead and environment",
    Effect.gen(function* () {
      const store = yield* PresenceStore
      const [environment, other] = [fresh("env"), fresh("env")]
      assert.deepStrictEqual(yield* store.list(environment, 1), [])
      const [seven, three] = [presence(environment), presence(environment, { agentId: 3, email: "ravi@example.com" })]
      yield* store.save(seven)
      yield* store.save(three)
      yield* store.save(presence(environment, { leadId: 2 }))
      yield* store.save(presence(other, { typing: true }))
      assert.deepStrictEqual(yield* store.list(environment, 1), [three, seven])
      const later = { ...seven, typing: true, email: "asha@new.example", seenAt: noon + 15_000 }
      yield* store.save(later)
      assert.deepStrictEqual(yield* store.list(environment, 1), [three, later])
      assert.deepStrictEqual(yield* store.list(other, 1), [presence(other, { typing: true })])
      yield* store.remove(environment, 1, 7)
      yield* store.remove(environment, 1, 99)
      assert.deepStrictEqual(yield* store.list(environment, 1), [three])
      assert.strictEqual((yield* store.list(environment, 2)).length, 1)
      assert.strictEqual((yield* store.list(other, 1)).length, 1)
      assert.deepStrictEqual(yield* store.list("\u0000", 1), [])
    })
  ),
  promise(
    "viewers of all leads of an environment are listed by lead and agent, without those who were seen too long ago",
    Effect.gen(function* () {
      const store = yield* PresenceStore
      const [environment, other] = [fresh("env"), fresh("env")]
      const [late, early] = [presence(environment, { leadId: 2, agentId: 3 }), presence(environment, { seenAt: noon })]
      const second = presence(environment, { agentId: 9, typing: true })
      for (const each of [late, second, early, presence(other)]) yield* store.save(each)
      assert.deepStrictEqual(yield* store.present(environment, noon), [early, second, late])
      assert.deepStrictEqual(yield* store.present(environment, noon + 1), [second, late])
      assert.deepStrictEqual(yield* store.present(environment, noon + 2), [])
    })
  ),
  promise(
    "concurrent viewers of a lead are all kept, and an agent's many pages share one row",
    Effect.gen(function* () {
      const store = yield* PresenceStore
      const environment = fresh("env")
      const race = yield* Race.together(60, (index) =>
        store.save(presence(environment, { agentId: 1 + (index % 20), seenAt: noon + index }))
      )
      assert.deepStrictEqual([...race.failures, ...race.defects], [])
      assert.deepStrictEqual(
        (yield* store.list(environment, 1)).map(({ agentId }) => agentId),
        Array.from({ length: 20 }, (_, index) => index + 1)
      )
    })
  ),
  promise(
    "viewers that were last seen long ago are deleted and counted, and no others",
    Effect.gen(function* () {
      const store = yield* PresenceStore
      const environment = fresh("env")
      // No other check has a viewer at the beginning of time, so only these rows are counted.
      for (const agentId of [1, 2]) yield* store.save(presence(environment, { agentId, since: 0, seenAt: 1_000 }))
      yield* store.save(presence(environment, { agentId: 3, since: 0, seenAt: 2_000 }))
      assert.strictEqual(yield* store.purge(1_000), 0)
      assert.strictEqual(yield* store.purge(2_000), 2)
      assert.deepStrictEqual(
        (yield* store.list(environment, 1)).map(({ agentId }) => agentId),
        [3]
      )
      yield* store.remove(environment, 1, 3)
    })
  )
]
