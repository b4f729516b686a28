import { type Role, settingGuards } from "@countersign/core"
import { assert, describe, it } from "vitest"
import { arrivalOf } from "../src/session/arrival.ts"
import { startOf } from "../src/session/startOf.ts"
import { menuOf } from "../src/shell/menu.ts"
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

  it("starts an AGENT without a deep link in the inbox, and every other role at the overview", () => {
    assert.strictEqual(startOf("AGENT", "/dashboard"), "/dashboard/inbox")
    assert.strictEqual(startOf("AGENT", "/dashboard/"), "/dashboard/inbox")
    assert.strictEqual(startOf("AGENT", "/dashboard/test"), "/dashboard/test/inbox")
    for (const path of ["/dashboard?range=7d", "/dashboard/test/keys", "/dashboard/inbox/7", "/dashboard/audit"])
      assert.isNull(startOf("AGENT", path), path)
    for (const role of ["VIEWER", "ADMIN", "OWNER"] as const) assert.isNull(startOf(role, "/dashboard"), role)
  })

  it("has no screen in the menu that the role cannot read, and all others", () => {
    const routes = (role: Role | undefined) => menuOf(role).flatMap(({ entries }) => entries.map(({ route }) => route))
    const all = routes("OWNER")
    assert.include(all, "audit")
    assert.deepStrictEqual(routes("ADMIN"), all)
    for (const role of ["AGENT", "VIEWER"] as const)
      assert.deepStrictEqual(
        routes(role),
        all.filter((route) => route !== "audit")
      )
    // The operator has no session and sees the whole menu.
    assert.deepStrictEqual(routes(undefined), all)
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
