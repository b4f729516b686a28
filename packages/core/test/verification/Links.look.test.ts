import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Verification } from "../../src/index.ts"
import { MerchantStore, type Storage } from "../../src/index.storage.ts"
import * as LinkToken from "../../src/foundation/secret/LinkToken.ts"
import { withStore } from "../fixtures/FaultyStore.ts"
import { link, linksOf, makeLinkWorld, shop } from "../fixtures/links.ts"
import { indian, makeProcess, makeStorage, otp, secrets, withSettings } from "../fixtures/World.ts"
import { changed } from "../fixtures/decisions.ts"

/** Storage that records its reads of verifications and environments. */
const listening = (storage: Context.Context<Storage>) => {
  const calls: Array<string> = []
  const hear =
    <A extends ReadonlyArray<any>, R>(name: string, call: (...args: A) => R) =>
    (...args: A): R => {
      calls.push(name)
      return call(...args)
    }
  const merchants = Context.get(storage, MerchantStore)
  const heard = withStore(storage, (store) => ({
    find: hear("find", store.find),
    load: hear("load", store.load),
    subject: hear("subject", store.subject),
    commit: hear("commit", store.commit)
  })).pipe(
    Context.add(
      MerchantStore,
      MerchantStore.of({ ...merchants, environment: hear("environment", merchants.environment) })
    )
  )
  return { calls, storage: heard }
}

const makeListening = Effect.gen(function* () {
  const { calls, storage } = listening(yield* makeStorage)
  const world = yield* makeLinkWorld({ storage })
  const of = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      calls.length = 0
      const answer = yield* effect
      return { answer, calls: calls.filter((call) => call !== "environment"), all: [...calls] }
    })
  return { ...world, storage, calling: of }
})

describe("opening a link", () => {
  it.effect("20 times reads the verification once each, and changes nothing", () =>
    Effect.gen(function* () {
      const { calling, events, links, live, tokenOf, verifications } = yield* makeListening
      const { verification } = yield* verifications.initiate(
        live,
        link({ deviceInfo: { model: "Pixel 8", city: "Pune" } })
      )
      const before = yield* events(live)
      const looked = yield* calling(Effect.forEach(Array.from({ length: 20 }), () => links.look(tokenOf(verification))))
      assert.deepStrictEqual(looked.calls, Array<string>(20).fill("find"))
      assert.deepStrictEqual(yield* verifications.status(live, { requestId: verification.id }), verification)
      assert.deepStrictEqual(yield* events(live), before)
      const [view] = looked.answer
      for (const one of looked.answer) assert.deepStrictEqual(one, view)
      assert.deepInclude(view, { device: "Pixel 8", place: "Pune", secondsAgo: 0, numbers: null })
      assert.strictEqual((yield* links.approve(tokenOf(verification), null))._tag, "Approved")
    })
  )

  it.effect("that approves nothing costs one read, and never says why", () =>
    Effect.gen(function* () {
      const w = yield* makeListening
      const { links, live, test, tokenOf, verifications } = w
      const asking = (state: string, caller = live) =>
        Effect.map(verifications.initiate(caller, link({ state })), ({ verification }) => verification)
      const good = yield* asking("good")
      const used = yield* asking("used")
      yield* links.approve(tokenOf(used), null)
      const mistaken = yield* asking("mistaken", withSettings(live, { linkNumberMatch: true }))
      const { numbers } = (yield* links.look(tokenOf(mistaken)))!
      const { matchNumber } = yield* links.shown(live, mistaken)
      yield* links.approve(tokenOf(mistaken), numbers!.find((number) => number !== matchNumber)!)
      const code = (yield* verifications.initiate(live, otp(indian))).verification
      const proved = (yield* verifications.initiate(
        test,
        link({ identity: indian, identityType: "MOBILE", mode: "OAUTH", channel: "TRUECALLER" })
      )).verification
      const strange = yield* makeLinkWorld({ secret: secrets.second, storage: yield* makeStorage })
      const genuine = tokenOf(good)
      const other = (yield* makeProcess(w.storage, {
        idle: true,
        secret: secrets.second,
        previousSecrets: [secrets.first]
      })).keyring.current
      const of = (verification: Partial<Verification.Verification>) => tokenOf(changed(good, verification))
      const tokens = {
        nothing: "",
        nonsense: "nonsense",
        cut: genuine.slice(0, -1),
        "cut in front": genuine.slice(1),
        longer: `${genuine}0`,
        "very long": genuine.repeat(1000),
        unknown: of({ id: `ver_${"1".repeat(26)}` }),
        "another environment": of({ environment: test.environment }),
        "another key": LinkToken.write(other, good),
        "another installation": strange.tokenOf(good),
        used: tokenOf(used),
        failed: tokenOf(mistaken),
        "of a code": tokenOf(code),
        "of a proof": tokenOf(proved)
      }
      for (const [name, token] of Object.entries(tokens)) {
        const looked = yield* w.calling(links.look(token))
        assert.deepStrictEqual([looked.answer, looked.all], [null, ["find"]], name)
        const approved = yield* w.calling(links.approve(token, "42"))
        assert.deepStrictEqual([approved.answer, approved.all], [{ _tag: "Unusable" }, ["find"]], name)
      }
      yield* TestClock.setTime(good.expiresAt)
      const late = yield* w.calling(links.look(genuine))
      assert.deepStrictEqual([late.answer, late.all], [null, ["find"]])
      assert.strictEqual((yield* verifications.status(live, { requestId: good.id })).status, "PENDING")
      assert.strictEqual((yield* verifications.status(live, { requestId: code.id })).status, "PENDING")
    })
  )

  it.effect("of a suspended merchant shows nothing and approves nothing, until the merchant is resumed", () =>
    Effect.gen(function* () {
      const { keys, links, live, merchants, tokenOf, verifications } = yield* makeLinkWorld()
      const { verification } = yield* verifications.initiate(live, link())
      yield* merchants.setStatus(keys.merchant.id, "SUSPENDED")
      assert.isNull(yield* links.look(tokenOf(verification)))
      assert.strictEqual((yield* links.approve(tokenOf(verification), null))._tag, "Unusable")
      yield* merchants.setStatus(keys.merchant.id, "ACTIVE")
      assert.strictEqual((yield* links.approve(tokenOf(verification), null))._tag, "Approved")
    })
  )

  it.effect("with a return address that is no longer registered does not reveal the code there", () =>
    Effect.gen(function* () {
      const { links, live, merchants, tokenOf, verifications } = yield* makeLinkWorld()
      const { verification } = yield* verifications.initiate(live, link())
      const here = yield* verifications.initiate(live, link({ redirectUri: null }))
      yield* merchants.changeSettings(live, { redirectUris: ["https://other.example/cb"] })
      assert.isNull(yield* links.look(tokenOf(verification)))
      assert.strictEqual((yield* links.approve(tokenOf(verification), null))._tag, "Unusable")
      assert.strictEqual((yield* verifications.status(live, { requestId: verification.id })).status, "PENDING")
      assert.strictEqual((yield* links.approve(tokenOf(here.verification), null))._tag, "Approved")
      yield* merchants.changeSettings(live, { redirectUris: [shop] })
      assert.strictEqual((yield* links.approve(tokenOf(verification), null))._tag, "Approved")
    })
  )

  it.effect("with a number to match accepts one of the five numbers: any other input leaves it unchanged", () =>
    Effect.gen(function* () {
      const { links, live, tokenOf, verifications } = yield* makeLinkWorld()
      const caller = withSettings(live, { linkNumberMatch: true })
      const { verification } = yield* verifications.initiate(caller, link())
      const token = tokenOf(verification)
      const { numbers } = (yield* links.look(token))!
      const { matchNumber } = yield* links.shown(live, verification)
      const never = Array.from({ length: 100 }, (_, i) => String(i).padStart(2, "0")).filter(
        (n) => !numbers!.includes(n)
      )
      for (const number of [null, "", ` ${matchNumber}`, `${matchNumber}\n`, `0${matchNumber}`, ...never]) {
        assert.strictEqual((yield* links.approve(token, number))._tag, "Unusable")
      }
      assert.deepStrictEqual((yield* links.look(token))?.numbers, numbers)
      assert.strictEqual((yield* links.approve(token, matchNumber))._tag, "Approved")
    })
  )
})

describe("after the master secret was rotated", () => {
  const rotation = Effect.gen(function* () {
    const storage = yield* makeStorage
    const old = yield* makeLinkWorld({ storage })
    const both = yield* makeProcess(storage, { idle: true, secret: secrets.second, previousSecrets: [secrets.first] })
    const fresh = yield* makeProcess(storage, { idle: true, secret: secrets.second })
    const caller = withSettings(old.live, { linkNumberMatch: true })
    const { verification } = yield* old.verifications.initiate(caller, link())
    return { old, both, fresh, caller, verification, token: old.tokenOf(verification) }
  })

  it.effect("links, numbers and authorisation codes that have not expired still work", () =>
    Effect.gen(function* () {
      const { both, caller, old, token, verification } = yield* rotation
      const [before, after] = [yield* old.links.look(token), yield* linksOf(both).look(token)]
      assert.deepStrictEqual(after, before)
      const shown = yield* linksOf(both).shown(caller, verification)
      assert.deepStrictEqual(shown, yield* old.links.shown(caller, verification))
      const resent = (yield* both.verifications.initiate(caller, link())).verification
      assert.deepStrictEqual([resent.id, old.tokenOf(resent)], [verification.id, token])
      assert.strictEqual((yield* linksOf(both).approve(token, shown.matchNumber))._tag, "Approved")
      const now = yield* both.verifications.status(caller, { requestId: verification.id })
      const { code } = yield* old.links.shown(caller, now)
      assert.strictEqual((yield* linksOf(both).shown(caller, now)).code, code)
      assert.strictEqual((yield* linksOf(both).exchange(caller, { code: code! })).verification.id, verification.id)
      const next = (yield* both.verifications.initiate(caller, link())).verification
      assert.strictEqual(next.keyId, both.keyring.current.id)
    })
  )

  it.effect("and the old one was removed, old links and codes are expired and initiate starts a new verification", () =>
    Effect.gen(function* () {
      const { caller, fresh, old, token, verification } = yield* rotation
      assert.isNull(yield* linksOf(fresh).look(token))
      const { matchNumber } = yield* old.links.shown(caller, verification)
      assert.strictEqual((yield* linksOf(fresh).approve(token, matchNumber))._tag, "Unusable")
      assert.deepStrictEqual(yield* linksOf(fresh).shown(caller, verification), {
        code: null,
        matchNumber: null,
        testLink: null
      })
      const next = (yield* fresh.verifications.initiate(caller, link())).verification
      assert.notStrictEqual(next.id, verification.id)

      yield* old.links.approve(token, matchNumber)
      const now = yield* old.verifications.status(caller, { requestId: verification.id })
      const { code } = yield* old.links.shown(caller, now)
      assert.isNull((yield* linksOf(fresh).shown(caller, now)).code)
      const refused = yield* Effect.flip(linksOf(fresh).exchange(caller, { code: code! }))
      assert.strictEqual(refused._tag, "UnknownAuthorisationCode")
    })
  )
})
