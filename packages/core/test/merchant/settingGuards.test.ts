import { assert, describe, it } from "vitest"
import { defaultSettings } from "../../src/account/merchant/Settings.ts"
import { guardRefusal, SettingOfOwner } from "../../src/account/merchant/guardRefusal.ts"
import { settingGuards } from "../../src/account/merchant/settingGuards.ts"
import { operator, system } from "../../src/foundation/outbox/AuditEntry.ts"
import type { Acting, SignedIn } from "../../src/account/merchant/Caller.ts"

const now = 1_000_000
const person = (role: SignedIn["role"], freshUntil: number): SignedIn => ({
  agentId: 1,
  email: "asha@shop.example",
  role,
  sessionId: "ses_1",
  era: 0,
  emailProven: true,
  needsPasskey: false,
  freshUntil
})
const stale = now
const fresh = now + 1

describe("the guard of a setting", () => {
  it("exists for every setting, and for nothing else", () => {
    assert.sameMembers(Object.keys(settingGuards), Object.keys(defaultSettings))
  })

  it("requires an owner for money, daily caps, server addresses and requirePasskey", () => {
    const ofOwners = Object.entries(settingGuards).flatMap(([name, guard]) => (guard === "OWNER" ? [name] : []))
    assert.sameMembers(ofOwners, ["billing", "dailyCap", "prices", "requirePasskey", "serverAddresses"])
  })

  it.each(Object.entries(settingGuards))(
    "of %s applies to agents, and lets a key change it unless it requires an owner",
    (name, guard) => {
      const refusal = (by: Acting) => guardRefusal(by, ["brand", name], now)
      const tagOf = (who: SignedIn) =>
        refusal({ actor: { kind: "AGENT", id: "1", label: null }, person: who })?._tag ?? null
      const isGuarded = guard !== "ADMIN"
      const isOwners = guard === "OWNER"
      assert.strictEqual(
        tagOf(person("ADMIN", stale)),
        isOwners ? "SettingOfOwner" : isGuarded ? "FreshSignInNeeded" : null
      )
      assert.strictEqual(tagOf(person("ADMIN", fresh)), isOwners ? "SettingOfOwner" : null)
      assert.strictEqual(tagOf(person("OWNER", stale)), isGuarded ? "FreshSignInNeeded" : null)
      assert.strictEqual(tagOf(person("OWNER", fresh)), null)
      const key = refusal({ actor: { kind: "KEY", id: "cs_live_1", label: null }, person: null })
      assert.deepStrictEqual(key, isOwners ? new SettingOfOwner({ setting: name, by: "KEY" }) : null)
      for (const actor of [system, operator]) assert.isNull(refusal({ actor, person: null }))
    }
  )
})
