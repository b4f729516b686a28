import { type Agent, StaffStore } from "@countersign/core/storage"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer } from "effect"
import { storage, TestDatabase } from "./TestDatabase.ts"

const agent = (merchantId: string, id: number, canonical: string): Agent => ({
  merchantId,
  id,
  version: 0,
  email: canonical,
  canonical,
  role: "AGENT",
  status: "ACTIVE",
  era: 0,
  agreedAt: null,
  removedAt: null,
  createdAt: 1_900_000_000_000
})

/** One more process on the test's database. */
const process = Effect.map(Layer.build(storage({ connections: 4 })), Context.get(StaffStore))

describe("agents and teams of one name, made over two processes at one moment", () => {
  it.live(
    "are one and conflicts, and no statement waits for another until Postgres ends it as a deadlock",
    () =>
      Effect.gen(function* () {
        const stores = [yield* process, yield* process] as const
        const merchantId = "mer_1"
        for (let round = 0; round < 60; round++) {
          const name = `asha${round}@example.com`
          const made = yield* Effect.forEach(
            Array.from({ length: 20 }, (_, index) => index),
            (index) => {
              const one = agent(merchantId, round * 20 + index + 1, name)
              const { email: _email, role: _role, status: _status, ...common } = one
              const team = { ...common, name, assignment: "OFF", members: [], takesNew: false } as const
              const change =
                round % 2 === 0 ? StaffStore.change({ agents: [one] }) : StaffStore.change({ teams: [team] })
              return Effect.exit(stores[index % 2]!.commit(change))
            },
            { concurrency: "unbounded" }
          )
          const outcomes = made.map((exit) => (Exit.isSuccess(exit) ? "stored" : String(exit.cause)))
          assert.strictEqual(outcomes.filter((outcome) => outcome === "stored").length, 1)
          for (const outcome of outcomes) assert.match(outcome, /^stored$|Conflict/)
        }
      }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
    120_000
  )
})
