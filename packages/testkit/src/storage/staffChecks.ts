import { Identifier } from "@countersign/core"
import {
  type Agent,
  Conflict,
  noRecords,
  MerchantStore,
  StaffStore,
  type Session,
  type SignInLink,
  StoreError
} from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Race from "../Race.ts"
import { fresh, noon } from "./fixtures.ts"
import { agent, commitStaff, staffOf, team } from "./leadFixtures.ts"
import { promise } from "./StorageCheck.ts"

export const session = (of: Pick<Agent, "id" | "merchantId">, fields: Partial<Session> = {}): Session => ({
  merchantId: of.merchantId,
  id: Identifier.make("ses", noon),
  version: 0,
  agentId: of.id,
  era: 0,
  hash: fresh("hash"),
  method: "CODE",
  emailProven: true,
  reach: [{ merchantId: of.merchantId, agentId: of.id, era: 0 }],
  address: "192.0.2.7",
  userAgent: "Firefox \u0000 \ud800",
  signedInAt: noon,
  lastUsedAt: noon,
  endedAt: null,
  ...fields
})

export const signInLink = (of: Pick<Agent, "id" | "merchantId">, fields: Partial<SignInLink> = {}): SignInLink => ({
  merchantId: of.merchantId,
  id: of.id,
  version: 0,
  era: 0,
  hash: fresh("hash"),
  createdAt: noon,
  expiresAt: noon + 1_000,
  usedAt: null,
  ...fields
})

const commit = Effect.fnUntraced(function* (parts: Partial<StaffStore.Change>) {
  yield* (yield* StaffStore).commit(StaffStore.change(parts))
})

/** A merchant with both environments, and an agent. */
const employed = Effect.fnUntraced(function* (fields: Partial<Agent> = {}) {
  const merchant = { id: fresh("mer"), name: "Acme", status: "ACTIVE", createdAt: noon } as const
  const environments = { live: fresh("live"), test: fresh("test") }
  yield* (yield* MerchantStore).create({
    ...noRecords,
    merchant,
    environments: (["live", "test"] as const).map((kind) => ({
      id: environments[kind],
      merchantId: merchant.id,
      kind,
      settings: {},
      settingsVersion: 1
    })),
    credentials: []
  })
  const made = agent(merchant.id, 1, fields)
  yield* commit({ agents: [made] })
  return { agent: { ...made, version: 1 }, merchant, environments }
})

const refused = <E>(effect: Effect.Effect<unknown, E, StaffStore>) =>
  Effect.map(Effect.flip(effect), (error) => assert.instanceOf(error, Conflict))

export const staffChecks = [
  promise(
    "a session is read with the current state of its agent, merchant and environments",
    Effect.gen(function* () {
      const store = yield* StaffStore
      const membership = yield* employed()
      const made = session(membership.agent)
      assert.isNull(yield* store.session(made.hash))
      yield* commit({ sessions: [made] })
      assert.deepStrictEqual(yield* store.session(made.hash), { ...membership, session: { ...made, version: 1 } })

      const suspended = { ...membership.agent, status: "SUSPENDED", era: 1 } as const
      yield* commit({ agents: [suspended] })
      yield* (yield* MerchantStore).change({
        ...noRecords,
        from: membership.merchant,
        to: { ...membership.merchant, status: "SUSPENDED" }
      })
      assert.deepStrictEqual(yield* store.session(made.hash), {
        ...membership,
        agent: { ...suspended, version: 2 },
        merchant: { ...membership.merchant, status: "SUSPENDED" },
        session: { ...made, version: 1 }
      })
      for (const missing of ["", "\u0000", "\ud800", "%"]) assert.isNull(yield* store.session(missing))
    })
  ),
  promise(
    "when many callers end a session concurrently, one succeeds; its other fields stay, and its last use never moves back",
    Effect.gen(function* () {
      const store = yield* StaffStore
      const { agent } = yield* employed()
      const [first, second] = [session(agent), session(agent)]
      yield* commit({ sessions: [first, second] })
      yield* store.used(first, noon + 500)
      yield* store.used(first, noon + 300)
      const known = { ...first, version: 3, lastUsedAt: noon + 500 }
      assert.deepStrictEqual((yield* store.session(first.hash))?.session, known)
      yield* refused(commit({ sessions: [{ ...first, version: 1, endedAt: noon + 600 }] }))
      const race = yield* Race.together(50, () =>
        commit({ sessions: [{ ...known, lastUsedAt: noon - 1, endedAt: noon + 600 }] })
      )
      assert.strictEqual(race.successes.length, 1)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
      assert.deepStrictEqual((yield* store.session(first.hash))?.session, {
        ...known,
        version: 4,
        endedAt: noon + 600
      })
      assert.deepStrictEqual(yield* store.sessions(agent.merchantId, agent.id), [{ ...second, version: 1 }])
      assert.deepStrictEqual(yield* store.sessions(agent.merchantId, agent.id + 1), [])
      assert.deepStrictEqual(yield* store.sessions("\u0000", 2 ** 40), [])
      yield* refused(commit({ sessions: [session(agent, { hash: second.hash })] }))
    })
  ),
  promise(
    "a link is read with its agent, and a new link replaces the previous link",
    Effect.gen(function* () {
      const store = yield* StaffStore
      const membership = yield* employed({ status: "INVITED" })
      const { merchantId } = membership.agent
      const made = signInLink(membership.agent)
      assert.isNull(yield* store.linkOf(merchantId, 1))
      yield* commit({ links: [made] })
      const stored = { ...made, version: 1 }
      assert.deepStrictEqual(yield* store.linkOf(merchantId, 1), stored)
      assert.deepStrictEqual(yield* store.link(made.hash), { ...membership, link: stored })
      yield* refused(commit({ links: [signInLink(membership.agent)] }))
      const next = signInLink(membership.agent, { version: 1, expiresAt: noon + 5_000 })
      yield* commit({ links: [next] })
      assert.isNull(yield* store.link(made.hash))
      assert.deepStrictEqual((yield* store.link(next.hash))?.link, { ...next, version: 2 })
      yield* refused(commit({ links: [stored] }))
    })
  ),
  promise(
    "when 100 callers redeem a link concurrently, one makes the agent active and gets a session",
    Effect.gen(function* () {
      const store = yield* StaffStore
      const { agent } = yield* employed({ status: "INVITED" })
      const made = signInLink(agent)
      yield* commit({ links: [made] })
      const link = { ...made, version: 1, usedAt: noon + 1 }
      const race = yield* Race.together(100, () =>
        commit({ agents: [{ ...agent, status: "ACTIVE" }], links: [link], sessions: [session(agent)] })
      )
      assert.strictEqual(race.successes.length, 1)
      assert.deepStrictEqual(race.defects, [])
      for (const error of race.failures) assert.instanceOf(error, Conflict)
      assert.strictEqual((yield* store.sessions(agent.merchantId, 1)).length, 1)
      const found = yield* store.link(made.hash)
      assert.deepStrictEqual(found?.agent, { ...agent, version: 2, status: "ACTIVE" })
      assert.deepStrictEqual(found?.link, { ...link, version: 2 })
    })
  ),
  promise(
    "a change of an agent decided on an earlier version writes no session",
    Effect.gen(function* () {
      const store = yield* StaffStore
      const { agent } = yield* employed({ status: "INVITED" })
      yield* commit({ agents: [{ ...agent, role: "OWNER" }] })
      yield* refused(commit({ agents: [{ ...agent, status: "ACTIVE" }], sessions: [session(agent)] }))
      assert.deepStrictEqual(yield* store.sessions(agent.merchantId, 1), [])
      assert.strictEqual((yield* store.membership(agent.merchantId, 1))?.agent.role, "OWNER")
      assert.isNull(yield* store.membership(agent.merchantId, 2))
    })
  ),
  promise(
    "an address is found at every merchant it works for, with its last proven use in this era, unless removed there",
    Effect.gen(function* () {
      const store = yield* StaffStore
      const canonical = `${fresh("asha")}@shop.example`
      const memberships = yield* Effect.forEach(["ACTIVE", "INVITED", "SUSPENDED"] as const, (status) =>
        employed({ canonical, status, era: status === "SUSPENDED" ? 1 : 0 })
      )
      const gone = yield* employed({ canonical })
      yield* commit({ agents: [{ ...gone.agent, removedAt: noon }] })
      const [first, second, third] = memberships
      yield* commit({
        sessions: [
          session(first!.agent, { lastUsedAt: noon + 2, endedAt: noon + 3 }),
          session(first!.agent, { lastUsedAt: noon + 1 }),
          // Later sessions do not count without a proven address, or from an earlier era.
          session(first!.agent, { lastUsedAt: noon + 9, emailProven: false }),
          session(second!.agent, { lastUsedAt: noon + 9, emailProven: false }),
          session(third!.agent, { lastUsedAt: noon + 9 })
        ]
      })
      const expected = memberships
        .map((membership) => ({ ...membership, lastUsedAt: membership === first ? noon + 2 : null }))
        .toSorted((a, b) => (a.merchant.id < b.merchant.id ? -1 : 1))
      assert.deepStrictEqual(yield* store.memberships(canonical), expected)
      assert.deepStrictEqual(yield* store.memberships("\u0000"), [])
      assert.isNull(yield* store.membership(gone.merchant.id, 1))
    })
  ),
  promise(
    "agents and teams are stored as written, one version later, and a second commit updates them",
    Effect.gen(function* () {
      const merchantId = fresh("mer")
      const parts = {
        agents: [agent(merchantId, 4, { email: "Ravi@Shop.example", role: "OWNER", status: "INVITED" })],
        teams: [team(merchantId, 5, { members: [9, 4], assignment: "ROUND_ROBIN", takesNew: true })]
      }
      const stored = yield* commitStaff(parts)
      assert.deepStrictEqual(stored, {
        agents: [{ ...parts.agents[0]!, version: 1 }],
        teams: [{ ...parts.teams[0]!, version: 1 }]
      })
      assert.deepStrictEqual(yield* staffOf(merchantId), stored)
      const changed = yield* commitStaff({
        agents: [{ ...stored.agents[0]!, status: "ACTIVE" }],
        teams: [{ ...stored.teams[0]!, takesNew: false, members: [] }]
      })
      assert.deepStrictEqual(yield* staffOf(merchantId), changed)
    })
  ),
  promise(
    "a change of staff with one outdated or unknown part writes nothing",
    Effect.gen(function* () {
      const merchantId = fresh("mer")
      const stored = yield* commitStaff({ agents: [agent(merchantId, 1)], teams: [team(merchantId, 1)] })
      const good = {
        agents: [{ ...stored.agents[0]!, role: "OWNER" as const }, agent(merchantId, 2)],
        teams: [{ ...stored.teams[0]!, members: [1] }, team(merchantId, 2)],
        links: [signInLink({ merchantId, id: 2 })]
      }
      const late = <A extends { readonly version: number }>(states: ReadonlyArray<A>) =>
        states.map((state) => (state.version === 0 ? state : { ...state, version: state.version + 1 }))
      const bad = [
        { ...good, agents: late(good.agents) },
        { ...good, teams: late(good.teams) },
        { ...good, agents: [...good.agents, { ...agent(merchantId, 3), version: 1 }] },
        { ...good, teams: [...good.teams, { ...team(merchantId, 3), version: 1 }] }
      ]
      for (const change of bad) yield* refused(commit(change))
      assert.deepStrictEqual(yield* staffOf(merchantId), stored)
      assert.isNull(yield* (yield* StaffStore).linkOf(merchantId, 2))
    })
  ),
  promise(
    "removed agents free their address and removed teams their name; the remaining ones are unique",
    Effect.gen(function* () {
      const merchantId = fresh("mer")
      const asha = (number: number) => agent(merchantId, number, { email: "Asha@shop.example" })
      const sales = (number: number) => team(merchantId, number, { name: "Sales" })
      const first = yield* commitStaff({ agents: [asha(1)], teams: [sales(1)] })
      yield* refused(commitStaff({ agents: [asha(2)] }))
      yield* refused(commitStaff({ teams: [sales(2)] }))
      const other = fresh("mer")
      yield* commitStaff({ agents: [{ ...asha(1), merchantId: other }], teams: [{ ...sales(1), merchantId: other }] })
      // In the same commit too: a removed row frees its name.
      const gone = { removedAt: noon }
      const second = yield* commitStaff({
        agents: [asha(2), { ...first.agents[0]!, ...gone }],
        teams: [sales(2), { ...first.teams[0]!, ...gone }]
      })
      const expected = { agents: [second.agents[0]!], teams: [second.teams[0]!] }
      assert.deepStrictEqual(yield* staffOf(merchantId), expected)
      // Removed rows cannot return to a name that another row has now.
      yield* refused(commitStaff({ agents: [{ ...second.agents[1]!, removedAt: null }] }))
      const race = yield* Race.together(40, (index) =>
        index % 2 === 0
          ? commitStaff({ agents: [agent(merchantId, 10 + index, { email: "ravi@shop.example" })] })
          : commitStaff({ teams: [team(merchantId, 10 + index, { name: "Support" })] })
      )
      assert.strictEqual(race.successes.length, 2)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
    })
  ),
  promise(
    "at most one team takes new leads, and one commit can move that to another team",
    Effect.gen(function* () {
      const merchantId = fresh("mer")
      const [first, second] = (yield* commitStaff({
        teams: [team(merchantId, 1, { takesNew: true }), team(merchantId, 2)]
      })).teams
      yield* refused(commitStaff({ teams: [{ ...second!, takesNew: true }] }))
      yield* refused(commitStaff({ teams: [team(merchantId, 3, { takesNew: true })] }))
      const handed = yield* commitStaff({
        teams: [
          { ...second!, takesNew: true },
          { ...first!, takesNew: false }
        ]
      })
      const back = yield* commitStaff({
        teams: [
          { ...handed.teams[1]!, takesNew: true },
          { ...handed.teams[0]!, takesNew: false }
        ]
      })
      assert.deepStrictEqual((yield* staffOf(merchantId)).teams, back.teams)
      yield* commitStaff({ teams: [{ ...back.teams[0]!, removedAt: noon }, team(merchantId, 3, { takesNew: true })] })
      yield* commitStaff({ teams: [team(fresh("mer"), 1, { takesNew: true })] })
      const race = yield* Race.together(20, (index) =>
        commitStaff({ teams: [team(`${merchantId}x`, 1 + index, { takesNew: true })] })
      )
      assert.strictEqual(race.successes.length, 1)
    })
  ),
  promise(
    "when 50 callers invite one address concurrently, one succeeds, and each gets its own number",
    Effect.gen(function* () {
      const store = yield* StaffStore
      const merchantId = fresh("mer")
      const canonical = "asha@shop.example"
      const race = yield* Race.together(50, () =>
        Effect.gen(function* () {
          const made = agent(merchantId, yield* store.next(merchantId, "agent"), { canonical, status: "INVITED" })
          yield* commit({ agents: [made], links: [signInLink(made)] })
          return made.id
        })
      )
      assert.strictEqual(race.successes.length, 1)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
      assert.isNotNull(yield* store.linkOf(merchantId, race.successes[0]!))
      const { agents } = yield* store.staff(merchantId)
      assert.deepStrictEqual(
        agents.map(({ id }) => id),
        race.successes
      )
      assert.strictEqual(yield* store.next(merchantId, "agent"), 51)
      assert.strictEqual(yield* store.next(merchantId, "team"), 1)
    })
  ),
  promise(
    "staff data that cannot be stored exactly is refused",
    Effect.gen(function* () {
      for (const awkward of ["\u0000", "\ud800"]) {
        const made = session({ merchantId: fresh("mer"), id: 1 }, { hash: awkward })
        const exit = yield* Effect.exit(commit({ sessions: [made] }))
        if (exit._tag === "Failure") assert.instanceOf(yield* Effect.flip(exit), StoreError)
      }
    })
  )
]
