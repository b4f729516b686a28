import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { Identifier, type Verification } from "../../src/index.ts"
import { FactStore } from "../../src/index.storage.ts"
import { launchVerified } from "../../src/auth/verification/launchFacts.ts"
import { distant, unreliable, withStore } from "../fixtures/FaultyStore.ts"
import { handedOver, link, linksOf, makeLinkWorld } from "../fixtures/links.ts"
import { makeProcess, makeStorage, requestIdOf, start, withSettings } from "../fixtures/World.ts"
import { challengeOf } from "../../src/auth/verification/exchange.ts"

const together = <A, E, R>(count: number, effect: (i: number) => Effect.Effect<A, E, R>) =>
  Effect.forEach(
    Array.from({ length: count }, (_, i) => effect(i)),
    Effect.result,
    { concurrency: "unbounded" }
  )

const tally = (words: ReadonlyArray<string>) =>
  Object.fromEntries([...new Set(words)].map((word) => [word, words.filter((one) => one === word).length]))

const said = (answers: ReadonlyArray<Result.Result<{ readonly _tag: string }, { readonly _tag: string }>>) =>
  tally(answers.map((one) => (Result.isSuccess(one) ? one.success._tag : one.failure._tag)))

const launchId = Identifier.make("lch", start)

/** Two processes on one storage, whose calls interleave. */
const twoProcesses = Effect.gen(function* () {
  const storage = withStore(yield* makeStorage, distant)
  const world = yield* makeLinkWorld({ storage })
  const other = yield* makeProcess(storage, { idle: true })
  const facts = Context.get(storage, FactStore)
  return {
    ...world,
    of: (i: number) => (i % 2 === 0 ? world : other),
    linksOf: (i: number) => linksOf(i % 2 === 0 ? world : other),
    ask: (more: Parameters<typeof link>[0] = {}) =>
      Effect.map(world.verifications.initiate(world.live, link(more)), ({ verification }) => verification),
    /** The events of one verification by type, then its launch facts. */
    toldOf: ({ environment, id }: Verification.Verification) =>
      Effect.gen(function* () {
        const events = (yield* world.events(world.live)).filter((event) => requestIdOf(event) === id)
        const page = { kind: launchVerified.name, environment, after: null, limit: 1000 }
        const launches = (yield* facts.list(page)).filter(({ value }) => value["requestId"] === id)
        return [...events.map(({ type }) => type), ...launches.map(({ kind }) => kind)]
      })
  }
})

describe("concurrent approvals on two processes", () => {
  it.effect("one of 100 approves, with one event and one launch fact", () =>
    Effect.gen(function* () {
      const w = yield* twoProcesses
      const asked = yield* w.ask({ launchId })
      const answers = yield* together(100, (i) => w.linksOf(i).approve(w.tokenOf(asked), null))
      assert.deepStrictEqual(said(answers), { Approved: 1, Unusable: 99 })
      assert.deepStrictEqual(yield* w.toldOf(asked), ["otp.initiated", "otp.verified", "launch.verified"])
    })
  )

  it.effect("with half of them on the wrong number approve or fail the login, never both", () =>
    Effect.gen(function* () {
      const w = yield* twoProcesses
      const live = withSettings(w.live, { linkNumberMatch: true })
      const ends: Array<string> = []
      for (let n = 0; n < 20; n++) {
        const { verification } = yield* w.verifications.initiate(live, link({ identity: `n${n}@example.com` }))
        const token = w.tokenOf(verification)
        const { matchNumber } = yield* w.links.shown(live, verification)
        const other = (yield* w.links.look(token))!.numbers!.find((number) => number !== matchNumber)!
        const answers = yield* together(10, (i) => w.linksOf(i).approve(token, (i + n) % 3 === 0 ? matchNumber : other))
        const { status } = yield* w.verifications.status(live, { requestId: verification.id })
        assert.deepStrictEqual(said(answers), { [status === "VERIFIED" ? "Approved" : "Mistaken"]: 1, Unusable: 9 })
        const told = yield* w.toldOf(verification)
        assert.deepStrictEqual(told, ["otp.initiated", ...(status === "VERIFIED" ? ["otp.verified"] : [])])
        ends.push(status)
      }
      assert.sameMembers([...new Set(ends)], ["VERIFIED", "FAILED"])
    })
  )

  it.effect("among resends approve one login, and later sends belong to another login", () =>
    Effect.gen(function* () {
      const w = yield* twoProcesses
      const live = withSettings(w.live, { maxResends: 0 })
      const asked = yield* w.ask()
      const token = w.tokenOf(asked)
      const ids: Array<string> = []
      const answers = yield* together(60, (i) =>
        i % 3 === 0
          ? w.linksOf(i).approve(token, null)
          : Effect.map(w.of(i).verifications.initiate(live, link()), ({ verification: { id } }) => {
              ids.push(id)
              return { _tag: id === asked.id ? "Resent" : "Started" }
            })
      )
      const { Started = 0, Resent = 0, ...rest } = said(answers)
      assert.deepStrictEqual([rest, Started + Resent], [{ Approved: 1, Unusable: 19 }, 40])
      assert.isAbove(Started, 0)
      assert.strictEqual(new Set(ids.filter((id) => id !== asked.id)).size, 1)
      const { deliveries, resends, status } = yield* w.verifications.status(live, { requestId: asked.id })
      assert.deepStrictEqual([status, resends, deliveries.length], ["VERIFIED", Resent, Resent + 1])
      assert.deepStrictEqual(yield* w.toldOf(asked), ["otp.initiated", "otp.verified"])
    })
  )
})

describe("an approval at the millisecond of expiry", () => {
  it.effect("is rejected, and one before it is accepted", () =>
    Effect.gen(function* () {
      const w = yield* twoProcesses
      const [early, late] = [yield* w.ask({ state: "1" }), yield* w.ask({ state: "2" })]
      yield* TestClock.setTime(early.expiresAt - 1)
      assert.strictEqual((yield* w.links.approve(w.tokenOf(early), null))._tag, "Approved")
      yield* TestClock.setTime(late.expiresAt)
      const answers = yield* together(20, (i) => w.linksOf(i).approve(w.tokenOf(late), null))
      assert.deepStrictEqual(said(answers), { Unusable: 20 })
      assert.notInclude(yield* w.toldOf(late), "otp.verified")
      const tried = yield* Effect.flip(w.verifications.verify(w.live, { requestId: late.id, otp: "123456" }))
      assert.strictEqual(tried._tag, "VerificationExpired")
    })
  )

  it.effect("is decided again when another commit won and the time ran out", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const w = yield* makeLinkWorld({ storage })
      const { verification } = yield* w.verifications.initiate(w.live, link())
      yield* TestClock.setTime(verification.expiresAt - 1)
      let passes = true
      const slow = yield* makeProcess(
        withStore(storage, (store) => ({
          commit: (change) =>
            Effect.gen(function* () {
              if (passes) {
                passes = false
                yield* TestClock.setTime(verification.expiresAt)
                yield* Effect.orDie(w.verifications.initiate(w.live, link({ state: "another" })))
              }
              return yield* store.commit(change)
            })
        })),
        { idle: true }
      )
      assert.strictEqual((yield* linksOf(slow).approve(w.tokenOf(verification), null))._tag, "Unusable")
      const { status } = yield* w.verifications.status(w.live, { requestId: verification.id })
      assert.isFalse(passes)
      assert.notStrictEqual(status, "VERIFIED")
      assert.notInclude(
        (yield* w.events(w.live)).map(({ type }) => type),
        "otp.verified"
      )
    })
  )
})

describe("exchanges of one authorisation code", () => {
  const approved = Effect.fnUntraced(function* (more: Parameters<typeof link>[0] = {}) {
    const w = yield* twoProcesses
    const live = withSettings(w.live, { linkNumberMatch: true })
    const asked = (yield* w.verifications.initiate(live, link(more))).verification
    const { matchNumber } = yield* w.links.shown(live, asked)
    const approval = yield* w.links.approve(w.tokenOf(asked), matchNumber)
    assert.ok(approval._tag === "Approved")
    return { ...w, asked, code: handedOver(approval.location)["code"] ?? "" }
  })

  it.effect("one of 100 concurrent exchanges without a codeChallenge gets the answer", () =>
    Effect.gen(function* () {
      const w = yield* approved()
      const answers = yield* together(100, (i) =>
        Effect.as(w.linksOf(i).exchange(w.live, { code: w.code }), { _tag: "Exchanged" })
      )
      assert.deepStrictEqual(said(answers), { Exchanged: 1, UnknownAuthorisationCode: 99 })
      const now = yield* w.verifications.status(w.live, { requestId: w.asked.id })
      assert.isNull((yield* w.links.shown(w.live, now)).code)
    })
  )

  it.effect(
    "all of 100 concurrent exchanges with the same codeVerifier get the same answer, and one device is trusted",
    () =>
      Effect.gen(function* () {
        const codeVerifier = "v".repeat(43)
        const w = yield* approved({ codeChallenge: challengeOf(codeVerifier) })
        const live = withSettings(w.live, { oneTap: true })
        const { deviceToken } = yield* w.verifications.initiate(live, link({ state: "another" }))
        const answers = yield* together(100, (i) =>
          Effect.map(w.linksOf(i).exchange(live, { code: w.code, codeVerifier, deviceToken }), ({ deviceTrusted }) => ({
            _tag: `trusted ${deviceTrusted}`
          }))
        )
        assert.deepStrictEqual(said(answers), { "trusted true": 100 })
        assert.strictEqual((yield* w.devices.list(live, "a@example.com")).length, 1)
        assert.isTrue((yield* w.verifications.initiate(live, link({ deviceToken }))).oneTapApplied)
        const now = yield* w.verifications.status(live, { requestId: w.asked.id })
        assert.strictEqual((yield* w.links.shown(live, now)).code, w.code)
      })
  )

  it.effect.each([
    [59_999, "Exchanged"],
    [60_000, "UnknownAuthorisationCode"]
  ] as const)("after %i ms answer %s", ([wait, expected]) =>
    Effect.gen(function* () {
      const w = yield* approved({ state: "s" })
      yield* TestClock.adjust(wait)
      const now = yield* w.verifications.status(w.live, { requestId: w.asked.id })
      assert.strictEqual((yield* w.links.shown(w.live, now)).code, expected === "Exchanged" ? w.code : null)
      const answers = yield* together(4, (i) =>
        Effect.as(w.linksOf(i).exchange(w.live, { code: w.code }), { _tag: "Exchanged" })
      )
      assert.deepStrictEqual(said(answers)[expected], expected === "Exchanged" ? 1 : 4)
    })
  )
})

describe("when the answer of a commit is lost", () => {
  const broken = Effect.fnUntraced(function* (plan: Parameters<typeof unreliable>[0]) {
    const w = yield* makeLinkWorld({ storage: withStore(yield* makeStorage, unreliable(["fine", ...plan])) })
    const { verification } = yield* w.verifications.initiate(w.live, link())
    const status = Effect.flatMap(w.verifications.status(w.live, { requestId: verification.id }), (now) =>
      Effect.map(w.links.shown(w.live, now), ({ code }) => ({ status: now.status, code }))
    )
    return { ...w, token: w.tokenOf(verification), status }
  })

  it.effect("an approval is not stored and can be repeated, or is stored with a code that status shows", () =>
    Effect.gen(function* () {
      const { events, links, live, status, token } = yield* broken(["before", "after"])
      const press = Effect.result(links.approve(token, null))
      assert.deepStrictEqual(said([yield* press]), { StoreError: 1 })
      assert.deepStrictEqual(yield* status, { status: "PENDING", code: null })
      assert.deepStrictEqual(said([yield* press]), { StoreError: 1 })
      const { code } = yield* status
      assert.deepStrictEqual(said([yield* press]), { Unusable: 1 })
      assert.strictEqual((yield* links.exchange(live, { code: code ?? "" })).verification.status, "VERIFIED")
      assert.strictEqual((yield* events(live)).length, 2)
    })
  )

  it.effect("an exchange is not stored and can be repeated, or is stored and final", () =>
    Effect.gen(function* () {
      const { links, live, status, token } = yield* broken(["fine", "before", "after"])
      yield* links.approve(token, null)
      const { code } = yield* status
      const exchange = Effect.map(Effect.result(links.exchange(live, { code: code ?? "" })), (one) =>
        Result.isSuccess(one) ? "Exchanged" : one.failure._tag
      )
      assert.deepStrictEqual(
        [yield* exchange, yield* exchange, yield* exchange],
        ["StoreError", "StoreError", "UnknownAuthorisationCode"]
      )
    })
  )

  it.effect("an exchange with an idempotency key answers its own repeats for a minute, and no other request", () =>
    Effect.gen(function* () {
      const { links, live, status, token } = yield* broken(["fine", "after"])
      yield* links.approve(token, null)
      const { code } = yield* status
      const exchange = (command: string | null) =>
        Effect.map(Effect.result(links.exchange(live, { code: code ?? "" }, command)), (one) =>
          Result.isSuccess(one) ? one.success.verification.status : one.failure._tag
        )
      assert.deepStrictEqual(
        [yield* exchange("k1"), yield* exchange("k2"), yield* exchange(null), yield* exchange("k1")],
        ["StoreError", "UnknownAuthorisationCode", "UnknownAuthorisationCode", "VERIFIED"]
      )
      assert.isNull((yield* status).code)
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual(yield* exchange("k1"), "UnknownAuthorisationCode")
    })
  )
})
