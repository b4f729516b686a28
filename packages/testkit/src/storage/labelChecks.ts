import { Conflict, type Label, LabelStore, LeadStore, type Outgoing } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Race from "../Race.ts"
import { fresh, noon } from "./fixtures.ts"
import { byActivity, commit, label, lead, matches, saved } from "./leadFixtures.ts"
import { promise } from "./StorageCheck.ts"

const none: Outgoing = { ...LeadStore.change({}) }

const change = Effect.fnUntraced(function* (becomes: "added" | "changed" | "removed", one: Label) {
  yield* (yield* LabelStore).commit({ ...none, label: one, becomes })
})

const conflicts = (becomes: "added" | "changed" | "removed", one: Label) =>
  Effect.map(Effect.flip(change(becomes, one)), (error) => assert.instanceOf(error, Conflict))

export const labelChecks = [
  promise(
    "labels come by age, are changed in place, and are removed once",
    Effect.gen(function* () {
      const store = yield* LabelStore
      const merchant = fresh("mer")
      const made = [1, 2, 3].map(() => label(merchant)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
      for (const one of made.toReversed()) yield* change("added", one)
      assert.deepStrictEqual(yield* store.list(merchant), made)
      const renamed: Label = { ...made[1]!, name: fresh("नया"), colour: "RED" }
      yield* change("changed", renamed)
      assert.deepStrictEqual(yield* store.list(merchant), [made[0]!, renamed, made[2]!])
      yield* conflicts("added", made[0]!)
      yield* change("removed", renamed)
      yield* conflicts("removed", renamed)
      yield* conflicts("changed", renamed)
      assert.deepStrictEqual(yield* store.list(merchant), [made[0]!, made[2]!])
      assert.deepStrictEqual(yield* store.list(fresh("mer")), [])
      assert.deepStrictEqual(yield* store.list("\u0000"), [])
    })
  ),
  promise(
    "labels of a merchant have unique names, ignoring case, also when they race",
    Effect.gen(function* () {
      const merchant = fresh("mer")
      const [first, second] = [label(merchant, { name: "Éclair" }), label(merchant)]
      yield* change("added", first)
      yield* change("added", second)
      yield* conflicts("added", label(merchant, { name: "éCLAIR" }))
      yield* conflicts("changed", { ...second, name: "ÉCLAIR" })
      yield* change("changed", { ...first, name: "ÉCLAIR" })
      yield* change("added", label(fresh("mer"), { name: "Éclair" }))
      const race = yield* Race.together(20, () => change("added", label(merchant, { name: "Race" })))
      assert.strictEqual(race.successes.length, 1)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
    })
  ),
  promise(
    "leads keep their labels in order, and every filter with a label lists those that have it",
    Effect.gen(function* () {
      const store = yield* LeadStore
      const [environment, other] = [fresh("env"), fresh("env")]
      const [vip, refund, rare] = [label("mer").id, label("mer").id, label("mer").id]
      const labelsOf = (n: number) => [
        ...(n % 2 === 0 ? [refund] : []),
        ...(n % 3 === 0 ? [vip] : []),
        ...(n === 7 ? [rare] : [])
      ]
      const various = (where: string) =>
        Array.from({ length: 60 }, (_, index) =>
          lead(where, index + 1, {
            labels: labelsOf(index + 1),
            status: index % 5 === 0 ? "CLOSED" : "OPEN",
            assignedTo: [null, 1, 2][index % 3]!,
            teamId: [null, 7][index % 2]!,
            lastMessageAt: index % 11 === 0 ? null : noon + Math.floor((index * 7) % 20) * 1_000,
            unansweredSince: noon - index
          })
        )
      const leads = yield* saved(various(environment))
      yield* saved(various(other))
      for (const labelId of [vip, refund, rare, "lbl_unknown"])
        for (const by of [{}, { assignedTo: null }, { assignedTo: 1 }])
          for (const more of [
            {},
            { status: "OPEN" as const },
            { teamId: 7 },
            { status: "CLOSED" as const, teamId: 7 }
          ]) {
            const filter = { environment, label: labelId, ...by, ...more }
            const expected = byActivity(leads.filter(matches(filter)))
            assert.deepStrictEqual(yield* store.after(filter, null, 100), expected, JSON.stringify(filter))
            const [third] = [expected[2]]
            if (third !== undefined)
              assert.deepStrictEqual(
                yield* store.after(filter, { at: third.lastMessageAt, id: third.id }, 100),
                expected.slice(3)
              )
            const moved = expected.filter((one) => one.lastMessageAt !== null).toReversed()
            assert.deepStrictEqual(yield* store.movedSince(filter, { at: 0, id: 0 }, 100), moved)
          }
      const waiting = { environment, label: vip, assignedTo: 2, teamId: 7, until: noon }
      const expected = leads
        .filter(matches(waiting))
        .filter(({ status }) => status === "OPEN")
        .toSorted((a, b) => a.unansweredSince! - b.unansweredSince!)
      assert.isAbove(expected.length, 0)
      assert.deepStrictEqual(yield* store.waiting(waiting, null, 100), expected)
      const [last] = yield* saved([lead(environment, 99, { labels: [vip, refund] })])
      assert.deepStrictEqual((yield* store.get(environment, 99))?.labels, [vip, refund])
      yield* commit({ leads: [{ ...last!, labels: [] }] })
      assert.deepStrictEqual((yield* store.get(environment, 99))?.labels, [])
      assert.deepStrictEqual(
        (yield* store.after({ environment, label: vip }, null, 100)).map(({ id }) => id).includes(99),
        false
      )
    })
  )
]
