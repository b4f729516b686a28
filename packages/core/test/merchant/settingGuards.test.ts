import { assert, describe, it } from "vitest"
import type { SignedIn } from "../../src/index.ts"
import { defaultSettings } from "../../src/merchant/Settings.ts"
import { guardRefusal, settingGuards } from "../../src/merchant/settingGuards.ts"

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

describe("who may change a setting", () => {
  it("is said of every setting, and of nothing else", () => {
    assert.sameMembers(Object.keys(settingGuards), Object.keys(defaultSettings))
  })

  it("is an owner for money, caps, server addresses and the passkey rule", () => {
    const ofOwners = Object.entries(settingGuards).flatMap(([name, guard]) => (guard === "OWNER" ? [name] : []))
    assert.sameMembers(ofOwners, ["billing", "dailyCap", "prices", "requirePasskey", "serverAddresses"])
  })

  it.each(Object.entries(settingGuards))("%s asks for what its guard says, of people alone", (name, guard) => {
    const tagOf = (who: SignedIn | null) => guardRefusal(who, ["brand", name], now)?._tag ?? null
    const isGuarded = guard !== "ADMIN"
    const isOwners = guard === "OWNER"
    assert.strictEqual(
      tagOf(person("ADMIN", stale)),
      isOwners ? "SettingOfOwner" : isGuarded ? "FreshSignInNeeded" : null
    )
    assert.strictEqual(tagOf(person("ADMIN", fresh)), isOwners ? "SettingOfOwner" : null)
    assert.strictEqual(tagOf(person("OWNER", stale)), isGuarded ? "FreshSignInNeeded" : null)
    assert.strictEqual(tagOf(person("OWNER", fresh)), null)
    assert.strictEqual(tagOf(null), null)
  })
})
