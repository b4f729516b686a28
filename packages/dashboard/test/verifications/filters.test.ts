import { assert, describe, it } from "vitest"
import { beginOf, dayOf } from "../../src/address/days.ts"
import { filtersIn } from "../../src/address/filtersIn.ts"
import {
  filters,
  hasReason,
  isFiltered,
  mayBeIdentity,
  meantBy,
  queryOf,
  refusalsOf
} from "../../src/screens/verifications/filters.ts"
import { refusedFor } from "../../src/life/refusedFor.ts"

describe("the one search field", () => {
  const kinds: ReadonlyArray<readonly [typed: string, kind: string]> = [
    ["+91 98765 43210", "identity"],
    ["9876543210", "identity"],
    ["+65 9123 4567", "identity"],
    [" asha@example.com ", "identity"],
    ["ver_01kaj3v9c0q5w8xn2rz7t4m6hd", "request"],
    ["order-1042", "order"],
    ["1042", "order"],
    ["20260131", "order"],
    ["98765432109876543210", "order"],
    ["ver_short", "order"],
    ["tag:plan:pro", "tag"],
    ["tag:plan", "order"],
    ["tag::pro", "order"],
    ["guard:PREFIX_UNVERIFIED", "guard"],
    [" Guard:country_too_fast", "guard"],
    ["guard:luck", "order"]
  ]
  it.each(kinds)("recognises %s as %s", (typed, kind) => assert.strictEqual(meantBy(typed).kind, kind))
  it("the parameter `as` overrides what it recognises", () => {
    assert.deepStrictEqual(meantBy("9876543210", "order"), { kind: "order", orderId: "9876543210" })
  })
  it("offers a search as a number only for a text that the service may accept as an identity", () => {
    assert.deepStrictEqual(["20260131", "+65 9123 4567", "asha@example.com"].filter(mayBeIdentity).length, 3)
    assert.deepStrictEqual(["0792", "order-1042", "98765432109876543210"].filter(mayBeIdentity), [])
  })
})

describe("the list's address", () => {
  it("becomes the service's query, without invalid values", () => {
    const wanted = filtersIn(filters, "?find=order-1042&status=FAILED&channel=Pigeon&country=in&from=yesterday&page=7")
    assert.deepStrictEqual(wanted, { find: "order-1042", status: "FAILED" })
    assert.deepStrictEqual(queryOf(wanted), { orderId: "order-1042", status: "FAILED" })
  })
  it("becomes a tag with its value", () => {
    const wanted = filtersIn(filters, "?find=tag%3Aplan%3Apro%3Ayearly")
    assert.deepStrictEqual(queryOf(wanted), { tag: "plan:pro:yearly" })
  })
  it("becomes a reason of the guard, from the filter or the search, for verifications and refused requests", () => {
    const wanted = filtersIn(filters, "?guard=DEVICE_UNVERIFIED&view=refused")
    assert.deepStrictEqual(queryOf(wanted), { guard: "DEVICE_UNVERIFIED" })
    assert.deepStrictEqual(refusalsOf(wanted), { reason: "guard.DEVICE_UNVERIFIED" })
    assert.deepStrictEqual(queryOf(filtersIn(filters, "?find=guard%3Aadjacent_numbers")), { guard: "ADJACENT_NUMBERS" })
    assert.deepStrictEqual(filtersIn(filters, "?guard=LUCK"), {})
  })
  it("becomes the outcomes and the reason of a failure", () => {
    const wanted = filtersIn(filters, "?failure=unused&reason=SILENCE")
    assert.deepStrictEqual(queryOf(wanted), { outcome: "DELIVERED_UNUSED,SENT_UNUSED,NO_RECEIPT" })
    assert.isFalse(hasReason(wanted))
    const refused = filtersIn(filters, "?failure=notSent&reason=ACCOUNT")
    assert.deepStrictEqual(queryOf(refused), { outcome: "NOT_SENT", reason: "ACCOUNT" })
    assert.isTrue(hasReason(refused))
  })
  it("counts every filter except the selected list", () => {
    assert.isFalse(isFiltered({ view: "refused" }))
    assert.isTrue(isFiltered({ country: "IN" }))
  })
})

describe("a day in the address", () => {
  it("converts to a moment and back, and includes its end", () => {
    for (const day of ["2026-01-31", "2026-03-29", "2026-10-25", "2028-02-29"]) {
      assert.strictEqual(dayOf(beginOf(day) ?? undefined), day)
      assert.strictEqual(dayOf(beginOf(day, 1) ?? undefined, true), day)
    }
  })
  it("is no filter when it is empty", () => assert.isNull(beginOf("")))
})

describe("the reason of a refusal", () => {
  it("is a sentence when it is known, and the service's code otherwise", () => {
    assert.strictEqual(refusedFor({ errorCode: "RATE_LIMIT_EXCEEDED", reason: "cooldown" }), "Requested again too soon")
    assert.strictEqual(
      refusedFor({ errorCode: "INVALID_REQUEST", reason: "identity" }),
      "identity is invalid or missing"
    )
    assert.strictEqual(
      refusedFor({ errorCode: "FORBIDDEN", reason: "guard.ADJACENT_NUMBERS" }),
      "Guard: Neighbouring numbers"
    )
    assert.strictEqual(refusedFor({ errorCode: "FORBIDDEN", reason: "guard.NEW" }), "Guard: NEW")
    assert.strictEqual(refusedFor({ errorCode: "NEW_THING", reason: "NewThing" }), "NewThing")
  })
})
