import { Identifier } from "@countersign/core"
import {
  type Agent,
  Conflict,
  LeadStore,
  leadChange,
  leavesNothing,
  MerchantStore,
  personChange,
  type PersonChange,
  PersonStore,
  type Session,
  type SignInLink,
  StoreError
} from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Race from "../Race.ts"
import { fresh, noon } from "./fixtures.ts"
import { agent } from "./leadFixtures.ts"
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

const commit = Effect.fnUntraced(function* (parts: Partial<PersonChange>) {
  yield* (yield* PersonStore).commit(personChange(parts))
})

/** A merchant with both environments, and somebody who works for it. */
const employed = Effect.fnUntraced(function* (fields: Partial<Agent> = {}) {
  const merchant = { id: fresh("mer"), name: "Acme", status: "ACTIVE", createdAt: noon } as const
  const environments = { live: fresh("live"), test: fresh("test") }
  yield* (yield* MerchantStore).create({
    ...leavesNothing,
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

const refused = <E>(effect: Effect.Effect<unknown, E, PersonStore>) =>
  Effect.map(Effect.flip(effect), (error) => assert.instanceOf(error, Conflict))

export const personChecks = [
  promise(
    "a session is read with its agent, merchant and environments as they are now",
    Effect.gen(function* () {
      const store = yield* PersonStore
      const post = yield* employed()
      const made = session(post.agent)
      assert.isNull(yield* store.session(made.hash))
      yield* commit({ sessions: [made] })
      assert.deepStrictEqual(yield* store.session(made.hash), { ...post, session: { ...made, version: 1 } })

      const suspended = { ...post.agent, status: "SUSPENDED", era: 1 } as const
      yield* (yield* LeadStore).commit(leadChange({ agents: [suspended] }))
      yield* (yield* MerchantStore).change({
        ...leavesNothing,
        from: post.merchant,
        to: { ...post.merchant, status: "SUSPENDED" }
      })
      assert.deepStrictEqual(yield* store.session(made.hash), {
        ...post,
        agent: { ...suspended, version: 2 },
        merchant: { ...post.merchant, status: "SUSPENDED" },
        session: { ...made, version: 1 }
      })
      for (const nobody of ["", "\u0000", "\ud800", "%"]) assert.isNull(yield* store.session(nobody))
    })
  ),
  promise(
    "of many who end one session at once, one does; nothing else of it is written, and its use never moves back",
    Effect.gen(function* () {
      const store = yield* PersonStore
      const { agent } = yield* employed()
      const [first, second] = [session(agent), session(agent)]
      yield* commit({ sessions: [first, second] })
      yield* store.used(first, noon + 500)
      yield* store.used(first, noon + 300)
      const known = { ...first, version: 1, lastUsedAt: noon + 500 }
      assert.deepStrictEqual((yield* store.session(first.hash))?.session, known)
      const race = yield* Race.together(50, () =>
        commit({ sessions: [{ ...known, lastUsedAt: noon - 1, endedAt: noon + 600 }] })
      )
      assert.strictEqual(race.successes.length, 1)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
      assert.deepStrictEqual((yield* store.session(first.hash))?.session, {
        ...known,
        version: 2,
        endedAt: noon + 600
      })
      assert.deepStrictEqual(yield* store.sessions(agent.merchantId, agent.id), [{ ...second, version: 1 }])
      assert.deepStrictEqual(yield* store.sessions(agent.merchantId, agent.id + 1), [])
      assert.deepStrictEqual(yield* store.sessions("\u0000", 2 ** 40), [])
      yield* refused(commit({ sessions: [session(agent, { hash: second.hash })] }))
    })
  ),
  promise(
    "a link is read with its agent, and a new one takes the place of the one before",
    Effect.gen(function* () {
      const store = yield* PersonStore
      const post = yield* employed({ status: "INVITED" })
      const { merchantId } = post.agent
      const made = signInLink(post.agent)
      assert.isNull(yield* store.linkOf(merchantId, 1))
      yield* commit({ links: [made] })
      const stored = { ...made, version: 1 }
      assert.deepStrictEqual(yield* store.linkOf(merchantId, 1), stored)
      assert.deepStrictEqual(yield* store.link(made.hash), { ...post, link: stored })
      yield* refused(commit({ links: [signInLink(post.agent)] }))
      const next = signInLink(post.agent, { version: 1, expiresAt: noon + 5_000 })
      yield* commit({ links: [next] })
      assert.isNull(yield* store.link(made.hash))
      assert.deepStrictEqual((yield* store.link(next.hash))?.link, { ...next, version: 2 })
      yield* refused(commit({ links: [stored] }))
    })
  ),
  promise(
    "of 100 who redeem one link at once, one makes the agent active and gets a session",
    Effect.gen(function* () {
      const store = yield* PersonStore
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
    "a change of an agent made on an earlier version writes no session",
    Effect.gen(function* () {
      const store = yield* PersonStore
      const { agent } = yield* employed({ status: "INVITED" })
      yield* (yield* LeadStore).commit(leadChange({ agents: [{ ...agent, role: "OWNER" }] }))
      yield* refused(commit({ agents: [{ ...agent, status: "ACTIVE" }], sessions: [session(agent)] }))
      assert.deepStrictEqual(yield* store.sessions(agent.merchantId, 1), [])
      assert.strictEqual((yield* store.post(agent.merchantId, 1))?.agent.role, "OWNER")
      assert.isNull(yield* store.post(agent.merchantId, 2))
    })
  ),
  promise(
    "an address is found at every merchant it works for, with its last proven use of each in this era, and not where it was removed",
    Effect.gen(function* () {
      const store = yield* PersonStore
      const canonical = `${fresh("asha")}@shop.example`
      const posts = yield* Effect.forEach(["ACTIVE", "INVITED", "SUSPENDED"] as const, (status) =>
        employed({ canonical, status, era: status === "SUSPENDED" ? 1 : 0 })
      )
      const gone = yield* employed({ canonical })
      yield* commit({ agents: [{ ...gone.agent, removedAt: noon }] })
      const [first, second, third] = posts
      yield* commit({
        sessions: [
          session(first!.agent, { lastUsedAt: noon + 2, endedAt: noon + 3 }),
          session(first!.agent, { lastUsedAt: noon + 1 }),
          // Neither one after a link counts, nor one of an earlier era.
          session(first!.agent, { lastUsedAt: noon + 9, emailProven: false }),
          session(second!.agent, { lastUsedAt: noon + 9, emailProven: false }),
          session(third!.agent, { lastUsedAt: noon + 9 })
        ]
      })
      const expected = posts
        .map((post) => ({ ...post, lastUsedAt: post === first ? noon + 2 : null }))
        .toSorted((a, b) => (a.merchant.id < b.merchant.id ? -1 : 1))
      assert.deepStrictEqual(yield* store.posts(canonical), expected)
      assert.deepStrictEqual(yield* store.posts("\u0000"), [])
      assert.isNull(yield* store.post(gone.merchant.id, 1))
    })
  ),
  promise(
    "of 50 who invite one address at once, one does, each with a number of its own",
    Effect.gen(function* () {
      const store = yield* PersonStore
      const merchantId = fresh("mer")
      const canonical = "asha@shop.example"
      const race = yield* Race.together(50, () =>
        Effect.gen(function* () {
          const made = agent(merchantId, yield* store.nextAgent(merchantId), { canonical, status: "INVITED" })
          yield* commit({ agents: [made], links: [signInLink(made)] })
          return made.id
        })
      )
      assert.strictEqual(race.successes.length, 1)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
      assert.isNotNull(yield* store.linkOf(merchantId, race.successes[0]!))
      const { agents } = yield* (yield* LeadStore).staff(merchantId)
      assert.deepStrictEqual(
        agents.map(({ id }) => id),
        race.successes
      )
      assert.strictEqual(yield* store.nextAgent(merchantId), 51)
      assert.strictEqual(yield* (yield* LeadStore).next(merchantId, "agent"), 52)
    })
  ),
  promise(
    "what cannot be kept exactly is refused",
    Effect.gen(function* () {
      for (const awkward of ["\u0000", "\ud800"]) {
        const made = session({ merchantId: fresh("mer"), id: 1 }, { hash: awkward })
        const exit = yield* Effect.exit(commit({ sessions: [made] }))
        if (exit._tag === "Failure") assert.instanceOf(yield* Effect.flip(exit), StoreError)
      }
    })
  )
]
