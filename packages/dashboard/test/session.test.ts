import { type Role, settingGuards } from "@countersign/core"
import { assert, describe, it } from "vitest"
import { arrivalOf } from "../src/session/arrival.ts"
import { may, refusalOf } from "../src/session/may.ts"
import { type Me, me } from "../src/session/session.ts"

describe("a visitor", () => {
  it("brings a link's token, an organisation's refusal, or nothing", () => {
    assert.deepStrictEqual(arrivalOf("#redeem=abc_-1"), { kind: "link", token: "abc_-1" })
    assert.deepStrictEqual(arrivalOf("#sign-in=refused"), { kind: "refused" })
    assert.deepStrictEqual(arrivalOf("#sign-in=away"), { kind: "away" })
    for (const hash of ["", "#", "#redeem=", "#redeem=a b", "#other"])
      assert.deepStrictEqual(arrivalOf(hash), { kind: "none" })
  })

  it("has the permissions of the role, and otherwise sees who has them", () => {
    assert.isUndefined(refusalOf("OWNER", "ADMIN"))
    assert.isUndefined(refusalOf("AGENT", "AGENT"))
    assert.isString(refusalOf("VIEWER", "AGENT"))
    assert.isString(refusalOf(undefined, "AGENT"))
  })

  it("sees which settings only an owner can change, by the service's guards", () => {
    const names = Object.keys(settingGuards) as ReadonlyArray<keyof typeof settingGuards>
    const open = (role: Role) => {
      me.value = { ...me.value, agent: { role } } as Me
      return names.filter((name) => may.set(name) === undefined)
    }
    assert.deepStrictEqual(open("OWNER"), names)
    assert.deepStrictEqual(
      open("ADMIN"),
      names.filter((name) => settingGuards[name] !== "OWNER")
    )
    assert.deepStrictEqual(open("AGENT"), [])
    me.value = { ...me.value, agent: { role: "ADMIN" } } as Me
    assert.match(may.set("prices") ?? "", /Only an owner/)
  })
})
