import { type OptOut, OptOutStore, AuditStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as Race from "../Race.ts"
import { auditEntry, merchantOf } from "./auditFixtures.ts"
import { fresh, noon } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

const phone = "+919876543210"

const optOut = (environment: string, fields: Partial<OptOut> = {}): OptOut => ({
  environment,
  phone,
  isOut: true,
  by: "MESSAGE",
  at: noon,
  ...fields
})

const put = Effect.fnUntraced(function* (one: OptOut, gone: ReadonlyArray<Pick<OptOut, "at" | "phone">> = []) {
  return yield* (yield* OptOutStore).commit(OptOutStore.change(one.environment, { optOut: one, gone }))
})

const known = (environment: string, ...phones: ReadonlyArray<string>) =>
  Effect.flatMap(OptOutStore, (store) => store.known(environment, phones))

const list = (environment: string, after = "", limit = 10) =>
  Effect.flatMap(OptOutStore, (store) =>
    Effect.map(store.list(environment, { after, limit }), (found) => found.map((one) => one.phone))
  )

export const optOutChecks = [
  promise(
    "an opt-out from campaigns is visible only in its environment",
    Effect.gen(function* () {
      const environment = fresh("env")
      const one = optOut(environment)
      assert.isTrue(yield* put(one))
      assert.deepStrictEqual(yield* known(environment, phone, phone, "+6591234567", "\u0000", "\ud800"), [one])
      assert.deepStrictEqual(yield* known(environment), [])
      for (const other of [fresh("env"), "", "\u0000", "%"]) {
        assert.deepStrictEqual(yield* known(other, phone), [])
        assert.deepStrictEqual(yield* list(other), [])
      }
    })
  ),
  promise(
    "the latest choice about campaigns wins, and at the same moment the opt-out wins",
    Effect.gen(function* () {
      const environment = fresh("env")
      const said = (isOut: boolean, at: number) => put(optOut(environment, { isOut, at }))
      assert.isTrue(yield* said(false, noon))
      assert.isTrue(yield* said(true, noon))
      assert.isFalse(yield* said(true, noon))
      assert.isFalse(yield* said(false, noon))
      assert.isFalse(yield* said(false, noon - 1))
      assert.deepStrictEqual(yield* known(environment, phone), [optOut(environment)])
      assert.isTrue(yield* said(true, noon + 1))
      assert.isTrue(yield* said(false, noon + 2))
      assert.isFalse(yield* said(true, noon + 1))
      assert.deepStrictEqual(yield* known(environment, phone), [optOut(environment, { isOut: false, at: noon + 2 })])
    })
  ),
  promise(
    "when 50 choices about campaigns are written concurrently, the latest wins",
    Effect.gen(function* () {
      const environment = fresh("env")
      yield* Race.together(50, (index) =>
        put(optOut(environment, { isOut: index % 2 === 0, at: noon + ((index * 7) % 50) }))
      )
      assert.deepStrictEqual(yield* known(environment, phone), [optOut(environment, { isOut: false, at: noon + 49 })])
    })
  ),
  promise(
    "a number is removed with the change that renames it, unless it has a later choice",
    Effect.gen(function* () {
      const store = yield* OptOutStore
      const environment = fresh("env")
      yield* put(optOut(environment))
      assert.isTrue(yield* put(optOut(environment, { phone: "#hash" }), [{ phone, at: noon }]))
      assert.deepStrictEqual(yield* known(environment, phone, "#hash"), [optOut(environment, { phone: "#hash" })])
      yield* put(optOut(environment, { at: noon + 2 }))
      const gone = (at: number) => store.commit(OptOutStore.change(environment, { gone: [{ phone, at }] }))
      assert.isFalse(yield* gone(noon + 1))
      assert.strictEqual((yield* known(environment, phone)).length, 1)
      assert.isTrue(yield* gone(noon + 2))
      assert.isFalse(yield* gone(noon + 2))
      assert.deepStrictEqual(yield* known(environment, phone), [])
    })
  ),
  promise(
    "opt-outs are listed by number, a page at a time",
    Effect.gen(function* () {
      const environment = fresh("env")
      const phones = ["+14155552671", "+6591234567", "+6591234568", "+919876543210"]
      for (const one of [...phones].reverse()) yield* put(optOut(environment, { phone: one }))
      yield* put(optOut(environment, { phone: "+33612345678", isOut: false }))
      assert.deepStrictEqual(yield* list(environment), phones)
      assert.deepStrictEqual(yield* list(environment, phones[0], 2), phones.slice(1, 3))
      assert.deepStrictEqual(yield* list(environment, phones[3]), [])
    })
  ),
  promise(
    "the effects of an opt-out change are written only if it changes something",
    Effect.gen(function* () {
      const store = yield* OptOutStore
      const environment = fresh("env")
      const audited = [auditEntry(environment)]
      const entries = Effect.flatMap(AuditStore, (audit) =>
        audit.list({ merchantId: merchantOf(environment) }, { after: null, limit: 9 })
      )
      yield* store.commit(OptOutStore.change(environment, { gone: [{ phone, at: noon }], audited }))
      assert.deepStrictEqual(yield* entries, [])
      yield* store.commit(OptOutStore.change(environment, { optOut: optOut(environment), audited }))
      assert.strictEqual((yield* entries).length, 1)
    })
  )
]
