import { assert, describe, it } from "vitest"
import { arrivalOf } from "../src/session/arrival.ts"
import { refusalOf } from "../src/session/may.ts"

describe("whoever arrives", () => {
  it("brings a link's token, an organisation's refusal, or nothing", () => {
    assert.deepStrictEqual(arrivalOf("#redeem=abc_-1"), { kind: "link", token: "abc_-1" })
    assert.deepStrictEqual(arrivalOf("#sign-in=refused"), { kind: "refused" })
    assert.deepStrictEqual(arrivalOf("#sign-in=away"), { kind: "away" })
    for (const hash of ["", "#", "#redeem=", "#redeem=a b", "#other"])
      assert.deepStrictEqual(arrivalOf(hash), { kind: "none" })
  })

  it("may what their role may, and else is told who may", () => {
    assert.isUndefined(refusalOf("OWNER", "ADMIN"))
    assert.isUndefined(refusalOf("AGENT", "AGENT"))
    assert.isString(refusalOf("VIEWER", "AGENT"))
    assert.isString(refusalOf(undefined, "AGENT"))
  })
})
