import { assert, describe, it } from "@effect/vitest"
import { isOutcomeExact, keptOutcome, keptOutcomes } from "../../src/auth/verification/keptOutcome.ts"
import {
  type Outcome,
  OutcomeCode,
  type OutcomeContext,
  outcomeOf,
  type OutcomeReason
} from "../../src/auth/verification/outcome.ts"
import type { TimelineStep } from "../../src/auth/verification/TimelineStep.ts"
import { shownAt, type Verification } from "../../src/auth/verification/Verification.ts"
import type { VerificationDelivery } from "../../src/auth/verification/VerificationDelivery.ts"
import { changed, linkFlow, startedWith } from "../fixtures/decisions.ts"
import { start } from "../fixtures/World.ts"

const { verification } = startedWith()
const [first] = verification.deliveries

const message = (more: Partial<VerificationDelivery>): VerificationDelivery => ({ ...first!, ...more })
const failed = (providerCode: string, more: Partial<VerificationDelivery> = {}) =>
  message({ status: "FAILED", providerCode, ...more })
/** A message that a provider had accepted before its delivery failed. */
const bounced = (providerCode: string, more: Partial<VerificationDelivery> = {}) =>
  failed(providerCode, { sentAt: start + 100, ...more })
const sent = message({ status: "SENT", sentAt: start + 100 })
const delivered = message({ status: "DELIVERED", sentAt: start + 100, deliveredAt: start + 900 })
const whatsApp = { id: "dlv_2", channel: "WHATSAPP", attemptNumber: 2 } as const
const fallback = { channel: "WHATSAPP", after: 60_000, dueAt: start + 60_000, used: false } as const
const used = { ...fallback, used: true }

const lost = (deliveries: ReadonlyArray<VerificationDelivery>, more: object = {}) =>
  changed(verification, { status: "FAILED", undeliverable: true, deliveries, ...more })
const expired = (deliveries: ReadonlyArray<VerificationDelivery>, more: object = {}) =>
  changed(verification, { status: "EXPIRED", deliveries, ...more })
const story = (...steps: ReadonlyArray<TimelineStep>) => ({ story: steps })

const context: OutcomeContext = {
  reports: ({ channel }: VerificationDelivery) => channel !== "EMAIL",
  canAddFallback: true,
  lockedUntil: null
}

/** The codes of an outcome on one line: code, channel, reason, cause; fallback; advice. */
const line = (outcome: Outcome | null): string => {
  if (outcome === null) return "none"
  const { advice, cause, channel, code, fallback, reason } = outcome
  const parts = (...all: ReadonlyArray<string | null>) => all.filter((part) => part !== null).join(" ")
  const second =
    fallback === null ? "" : `; fallback ${parts(fallback.state, fallback.channel, fallback.reason, fallback.cause)}`
  return `${parts(code, channel, reason, cause)}${second}; ${advice}`
}

type Case = readonly [title: string, verification: Verification, line: string, context?: Partial<OutcomeContext>]

const cases: ReadonlyArray<Case> = [
  [
    "a phone that was off, without a fallback, advises to add one",
    lost([bounced("30003", { because: "recipient" })]),
    "NOT_DELIVERED SMS RECIPIENT 30003; fallback NOT_SET; ADD_FALLBACK"
  ],
  [
    "a phone that was off advises to check the number when no other channel can reach it",
    lost([bounced("30003", { because: "recipient" })]),
    "NOT_DELIVERED SMS RECIPIENT 30003; fallback NOT_SET; CHECK_IDENTITY",
    { canAddFallback: false }
  ],
  [
    "an invalid number or a landline that the provider refuses at the send was not sent",
    lost([failed("21211", { because: "recipient" })]),
    "NOT_SENT SMS RECIPIENT 21211; fallback NOT_SET; ADD_FALLBACK"
  ],
  [
    "an opted-out recipient has to opt in again, even without a fallback",
    lost([failed("21610", { because: "opted_out" })]),
    "NOT_SENT SMS OPTED_OUT 21610; fallback NOT_SET; ASK_OPT_IN"
  ],
  [
    "a number without WhatsApp advises another channel",
    lost([bounced("131026", { ...whatsApp, because: "channel" })]),
    "NOT_DELIVERED WHATSAPP CHANNEL 131026; fallback NOT_SET; USE_OTHER_CHANNEL",
    { canAddFallback: false }
  ],
  ...(["account", "sender", "limit"] as const).map(
    (because): Case => [
      `a refusal that concerns the ${because} at the provider advises to fix it there`,
      lost([failed("20003", { because })]),
      `NOT_SENT SMS ${because.toUpperCase()} 20003; fallback NOT_SET; FIX_PROVIDER`
    ]
  ),
  ...(["content", "template"] as const).map(
    (because): Case => [
      `a refusal of the ${because} advises to fix the template`,
      lost([failed("132001", { because })]),
      `NOT_SENT SMS ${because.toUpperCase()} 132001; fallback NOT_SET; FIX_TEMPLATE`
    ]
  ),
  [
    "a number that the settings forbid on every channel advises to change the allowed destinations",
    lost([failed("destination_forbidden")]),
    "NOT_SENT SMS SETTINGS destination_forbidden; CHANGE_DESTINATIONS"
  ],
  [
    "a template of the server's own account is a template problem",
    lost([failed("template_not_yours")]),
    "NOT_SENT SMS TEMPLATE template_not_yours; fallback NOT_SET; FIX_TEMPLATE"
  ],
  ...["no_provider", "no_public_url", "key_retired", "merchant_suspended"].map(
    (code): Case => [
      `the code ${code} is for the operator`,
      lost([failed(code)]),
      `NOT_SENT SMS OPERATOR ${code}; fallback NOT_SET; ASK_OPERATOR`
    ]
  ),
  [
    "a refusal without a cause advises to add a fallback",
    lost([failed("unreachable")]),
    "NOT_SENT SMS UNKNOWN unreachable; fallback NOT_SET; ADD_FALLBACK"
  ],
  [
    "a message that waited for its turn until it expired was not sent in time",
    lost([failed("not_sent_in_time")], { fallback }),
    "NOT_SENT SMS TIME not_sent_in_time; fallback NOT_NEEDED WHATSAPP; REQUEST_AGAIN"
  ],
  [
    "a message that is still queued when its verification expires was not sent in time",
    expired([first!], { fallback: used }),
    "NOT_SENT SMS TIME not_sent_in_time; fallback USED WHATSAPP; REQUEST_AGAIN"
  ],
  [
    "a message that the provider kept postponing names the provider's last code",
    lost([failed("not_sent_in_time")], { fallback: used, ...story([90, "tried", 1, "http_503", 500]) }),
    "NOT_SENT SMS PROVIDER http_503; fallback USED WHATSAPP; FIX_PROVIDER"
  ],
  [
    "a late receipt of a message that had failed in core does not turn the failure into a delivery",
    lost([delivered], { fallback: used }),
    "NOT_DELIVERED SMS TIME not_sent_in_time; fallback USED WHATSAPP; REQUEST_AGAIN"
  ],
  [
    "a provider that sends no receipt leaves the delivery open",
    expired([sent]),
    "NO_RECEIPT SMS SILENCE; fallback NOT_SET; ADD_FALLBACK"
  ],
  [
    "a provider that did not answer the send leaves the delivery open, with the code of the last try",
    expired([message({ unanswered: true })], story([90, "tried", 1, "timeout", null])),
    "NO_RECEIPT SMS SILENCE timeout; fallback NOT_SET; ADD_FALLBACK"
  ],
  [
    "a silent provider with a used fallback points at the provider",
    expired([bounced("30003", { because: "recipient" }), message({ ...whatsApp, status: "SENT", sentAt: 1 })], {
      fallback: used
    }),
    "NO_RECEIPT WHATSAPP SILENCE; fallback USED WHATSAPP; FIX_PROVIDER"
  ],
  [
    "a code that was delivered and not entered can be requested again",
    expired([delivered]),
    "DELIVERED_UNUSED SMS; REQUEST_AGAIN"
  ],
  [
    "a code that was read after another message failed was delivered",
    expired([bounced("30003"), message({ ...whatsApp, status: "READ" })], { fallback: used }),
    "DELIVERED_UNUSED WHATSAPP; REQUEST_AGAIN"
  ],
  [
    "an accepted message on a channel without receipts was sent",
    expired([message({ channel: "EMAIL", status: "SENT", sentAt: 1 })]),
    "SENT_UNUSED EMAIL; REQUEST_AGAIN"
  ],
  [
    "a delivery counts more than a later message on a channel without receipts",
    expired([delivered, message({ ...whatsApp, channel: "EMAIL", status: "SENT", sentAt: 1 })]),
    "DELIVERED_UNUSED SMS; REQUEST_AGAIN"
  ],
  [
    "a verification without attempts left can be requested again",
    changed(verification, { attempts: verification.maxAttempts, deliveries: [delivered] }),
    "NO_ATTEMPTS_LEFT; REQUEST_AGAIN"
  ],
  [
    "a verification that failed after its last attempt has no attempts left",
    changed(verification, { status: "FAILED", attempts: verification.maxAttempts }),
    "NO_ATTEMPTS_LEFT; REQUEST_AGAIN"
  ],
  [
    "a user who is locked out has to be unlocked",
    changed(verification, { status: "EXPIRED", attempts: verification.maxAttempts }),
    "NO_ATTEMPTS_LEFT; UNLOCK",
    { lockedUntil: start + 86_400_000 }
  ],
  [
    "a user who is locked out has to be unlocked before a message that was late is requested again",
    lost([failed("not_sent_in_time")], { fallback: used }),
    "NOT_SENT SMS TIME not_sent_in_time; fallback USED WHATSAPP; UNLOCK",
    { lockedUntil: start + 86_400_000 }
  ],
  [
    "a wrong number on a link's page is no lost message",
    changed(startedWith({ flow: linkFlow() }).verification, { status: "FAILED" }),
    "WRONG_NUMBER; REQUEST_AGAIN"
  ],
  [
    "a number verifier that never confirmed the number sent nothing",
    changed(verification, { kind: "Number", mode: "OAUTH", channel: "TRUECALLER", status: "EXPIRED", deliveries: [] }),
    "NOT_CONFIRMED TRUECALLER; REQUEST_AGAIN"
  ],
  [
    "a fallback that failed too has its own cause",
    lost([bounced("30003", { because: "recipient" }), bounced("131026", { ...whatsApp, because: "channel" })], {
      fallback: used
    }),
    "NOT_DELIVERED SMS RECIPIENT 30003; fallback USED WHATSAPP CHANNEL 131026; CHECK_IDENTITY"
  ],
  [
    "a fallback that failed for its account advises to fix that account",
    lost([bounced("30003", { because: "recipient" }), failed("190", { ...whatsApp, because: "account" })], {
      fallback: used
    }),
    "NOT_DELIVERED SMS RECIPIENT 30003; fallback USED WHATSAPP ACCOUNT 190; FIX_PROVIDER"
  ],
  ...(
    [
      ["no price", "NO_PRICE", "SET_PRICE"],
      ["no balance", "NO_BALANCE", "TOP_UP"],
      ["cap reached", "CAP_REACHED", "RAISE_CAP"]
    ] as const
  ).map(
    ([why, state, advice]): Case => [
      `a fallback that could not be paid (${why}) advises ${advice}`,
      lost([bounced("30003", { because: "recipient" })], { fallback, ...story([9, "no fallback", why]) }),
      `NOT_DELIVERED SMS RECIPIENT 30003; fallback ${state} WHATSAPP; ${advice}`
    ]
  ),
  [
    "an own fault comes before a fallback that could not be paid",
    lost([failed("20003", { because: "account" })], { fallback, ...story([9, "no fallback", "no balance"]) }),
    "NOT_SENT SMS ACCOUNT 20003; fallback NO_BALANCE WHATSAPP; FIX_PROVIDER"
  ],
  [
    "a fallback that was due only after the end has to start earlier",
    expired([sent], { fallback: { ...fallback, dueAt: verification.expiresAt } }),
    "NO_RECEIPT SMS SILENCE; fallback TOO_LATE WHATSAPP; SHORTEN_FALLBACK"
  ],
  [
    "a fallback whose channel had sent the code before is not sent again",
    lost([bounced("131026", { ...whatsApp, because: "channel" })], { fallback }),
    "NOT_DELIVERED WHATSAPP CHANNEL 131026; fallback SAME_CHANNEL WHATSAPP; USE_OTHER_CHANNEL"
  ]
]

describe("the outcome of a verification", () => {
  for (const [title, verification, expected, more] of cases)
    it(title, () => assert.strictEqual(line(outcomeOf(verification, { ...context, ...more })), expected))

  for (const [title, verification, , more] of cases)
    it(`is found by its code, its reason, and both, as the row keeps it: ${title}`, () => {
      const { code, reason } = outcomeOf(verification, { ...context, ...more })!
      const kept = keptOutcome(verification)!
      const isFoundBy = (codes: ReadonlyArray<OutcomeCode> | null, by: OutcomeReason | null) =>
        keptOutcomes({ codes, reason: by }).includes(kept)
      assert.isTrue(isFoundBy([code], null))
      // A channel without receipts keeps `NO_RECEIPT SILENCE`, and shows no reason.
      assert.strictEqual(isFoundBy(null, reason), true)
      assert.strictEqual(isFoundBy([code], reason), true)
      const others = OutcomeCode.filter((other) => other !== code)
      assert.strictEqual(isFoundBy(others, null), code === "NO_RECEIPT" || code === "SENT_UNUSED")
      assert.isFalse(isOutcomeExact({ codes: ["NO_RECEIPT"], reason: null }))
      assert.isTrue(isOutcomeExact({ codes: ["NO_RECEIPT", "SENT_UNUSED"], reason: null }))
    })

  it("is kept from the write that ends it: the announced expiry, the last wrong code, or the failure", () => {
    const attempts = verification.maxAttempts
    assert.isNull(keptOutcome(verification))
    assert.isNull(keptOutcome(changed(verification, { attempts: attempts - 1 })))
    assert.strictEqual(keptOutcome(changed(verification, { attempts })), "NO_ATTEMPTS_LEFT")
    assert.strictEqual(keptOutcome(changed(verification, { status: "FAILED" })), "WRONG_NUMBER")
    const announced = changed(verification, { expiryAnnounced: true, deliveries: [sent] })
    assert.strictEqual(keptOutcome(announced), "NO_RECEIPT SILENCE")
    assert.strictEqual(keptOutcome({ ...announced, deliveries: [delivered] }), "DELIVERED_UNUSED")
    assert.isNull(keptOutcome(changed(announced, { status: "VERIFIED", method: "OTP", verifiedAt: start })))
  })

  it("is null while a verification is pending, and when it is verified", () => {
    assert.isNull(outcomeOf(shownAt(verification, start), context))
    assert.isNull(outcomeOf(changed(verification, { status: "VERIFIED", method: "OTP", verifiedAt: start }), context))
  })

  it("exists as soon as a pending verification's time is over", () => {
    assert.isNotNull(outcomeOf(shownAt(verification, verification.expiresAt), context))
  })
})
