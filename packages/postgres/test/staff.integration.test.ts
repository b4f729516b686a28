import { PgConnection } from "@effect/sql-pg"
import { type Agent, type Session, StaffStore } from "@countersign/core/storage"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Layer } from "effect"
import { used } from "../src/PgStaffStore.ts"
import { seen } from "./Holding.ts"
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

describe("when two processes create agents and teams with one name concurrently", () => {
  it.live(
    "one succeeds, the others conflict, and no statement ends as a deadlock",
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

describe("a session that ends while its last use is recorded", () => {
  it.live("stays ended: the end is decided again on the new version", () =>
    Effect.gen(function* () {
      const store = yield* process
      const { connection, name } = yield* TestDatabase
      const signedIn = agent("mer_1", 1, "asha@example.com")
      const made: Session = {
        merchantId: "mer_1",
        id: "ses_1",
        version: 0,
        agentId: 1,
        era: 0,
        hash: "hash",
        method: "CODE",
        emailProven: true,
        reach: [],
        address: null,
        userAgent: null,
        signedInAt: signedIn.createdAt,
        lastUsedAt: signedIn.createdAt,
        endedAt: null
      }
      yield* store.commit(StaffStore.change({ agents: [signedIn], sessions: [made] }))
      const [known] = yield* store.sessions("mer_1", 1)

      const other = yield* PgConnection.make(connection)
      yield* other.query("begin")
      const later = new Date(signedIn.createdAt + 300_000).toISOString()
      yield* other.query(used, ["mer_1", "ses_1", later])
      const end = StaffStore.change({ sessions: [{ ...known!, endedAt: signedIn.createdAt + 300_000 }] })
      const ending = yield* Effect.forkChild(Effect.exit(store.commit(end)))
      yield* seen(`select 1 from pg_stat_activity where datname = '${name}' and wait_event_type = 'Lock'`)
      yield* other.query("commit")

      assert.match(String(yield* Fiber.join(ending)), /Conflict/)
      const [current] = yield* store.sessions("mer_1", 1)
      yield* store.commit(StaffStore.change({ sessions: [{ ...current!, endedAt: signedIn.createdAt + 300_000 }] }))
      assert.deepStrictEqual(yield* store.sessions("mer_1", 1), [])
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
  )
})
