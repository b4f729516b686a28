import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { headlineOf } from "../../src/screens/verification/headline.ts"
import type { Verification } from "../../src/life/result.ts"
import type { Role } from "../../src/session/may.ts"
import { type Me, me } from "../../src/session/session.ts"
import { message, outcome, verification } from "../life/Lives.ts"

type Outcome = NonNullable<Verification["outcome"]>

const as = (role: Role) => {
  me.value = { agent: { role } } as Me
}
const notSet = { state: "NOT_SET", channel: null, reason: null, cause: null } as const
const whatsApp = { state: "USED", channel: "WHATSAPP", reason: null, cause: null } as const
const off = { code: "NOT_DELIVERED", reason: "RECIPIENT", cause: "30003" } as const

const failed = (more: Partial<Outcome>, rest: Partial<Verification> = {}) =>
  verification({ authStatus: "FAILED", method: null, verifiedAt: null, outcome: outcome(more), ...rest })

const sentences = (more: Partial<Outcome>, rest: Partial<Verification> = {}): string => {
  const { advice, what, why } = headlineOf(failed(more, rest))!
  return [what, ...why, advice].join(" ")
}

describe("the headline of a verification without success", () => {
  beforeEach(() => as("OWNER"))
  afterEach(() => {
    me.value = undefined
  })

  it("says what happened, why, that no fallback is set, and links to the setting", () => {
    const more = { ...off, fallback: notSet, advice: "ADD_FALLBACK" } as const
    assert.strictEqual(
      sentences(more),
      "The SMS message never arrived. The phone is off or out of reach. No fallback is set. Add a fallback"
    )
    assert.deepStrictEqual(headlineOf(failed(more))!.target, { screen: "settings", find: "fallbackChannel" })
  })

  it("says whom to ask instead of a link that the current user cannot use", () => {
    const ask = (role: Role, advice: Outcome["advice"]) => {
      as(role)
      const headline = headlineOf(failed({ ...off, fallback: notSet, advice }))!
      assert.isNull(headline.target)
      return headline.advice
    }
    assert.strictEqual(ask("AGENT", "ADD_FALLBACK"), "Ask an administrator to add a fallback.")
    assert.strictEqual(ask("VIEWER", "UNLOCK"), "Ask an administrator to unlock the user.")
    assert.strictEqual(ask("ADMIN", "TOP_UP"), "Ask an owner to top up the balance.")
    assert.strictEqual(ask("ADMIN", "SET_PRICE"), "Ask an owner to set a price.")
  })

  it("names the cause of a fallback that failed too", () => {
    const fallback = { ...whatsApp, reason: "CHANNEL", cause: "99999" } as const
    assert.strictEqual(
      sentences({ ...off, fallback, advice: "CHECK_IDENTITY" }),
      "The SMS message never arrived. The phone is off or out of reach. The WhatsApp fallback failed too. " +
        "This channel cannot reach the recipient (99999). " +
        "Ask the user to check the number and the phone, then request a new code."
    )
  })

  it("says that the last silent message was the fallback", () => {
    assert.strictEqual(
      sentences({
        code: "NO_RECEIPT",
        channel: "WHATSAPP",
        reason: "SILENCE",
        fallback: whatsApp,
        advice: "FIX_PROVIDER"
      }),
      "The WhatsApp provider sent no delivery report. WhatsApp was the fallback. Check the channel’s provider"
    )
  })

  it("speaks of the code or of the link that was not used", () => {
    assert.strictEqual(
      sentences({}),
      "The SMS message was delivered, but the correct code was not entered before it expired. The user can try again with a new request."
    )
    const link = { mode: "MAGIC_LINK", deliveries: [message(1, "SMS", 0)] } as const
    assert.include(sentences({ code: "SENT_UNUSED" }, link), "the link was not approved")
    assert.include(sentences({ code: "WRONG_NUMBER", channel: null }, link), "A wrong number was selected")
  })

  it("speaks of the address of an e-mail", () => {
    const mail = { identityType: "EMAIL" } as const
    assert.include(sentences({ ...off, advice: "CHECK_IDENTITY" }, mail), "Ask the user to check the e-mail address")
  })

  it("is absent without an outcome", () => {
    assert.isNull(headlineOf(verification()))
  })
})
