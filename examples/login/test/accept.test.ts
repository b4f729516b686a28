import type { Verification } from "@countersign/sdk/server"
import { assert, test } from "vitest"
import { isJustStarted, maySignIn } from "../src/accept.ts"

const now = Date.parse("2026-05-04T10:00:00.000Z")
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString()
const delivery = {
  channel: "SMS",
  type: "OTP",
  deliveryStatus: "SENT",
  attemptNumber: 1,
  carrier: "twilio",
  providerCode: null
} as const

const verification = (changes: Partial<Verification> = {}) =>
  ({ identityType: "MOBILE", authStatus: "VERIFIED", verifiedAt: at(-5), deliveries: [delivery], ...changes }) as const

test("signs in a verification from a moment ago, and no other", () => {
  assert.isTrue(maySignIn(verification(), now))
  assert.isTrue(maySignIn(verification({ verifiedAt: at(20) }), now), "clocks differ a little")
  assert.isFalse(maySignIn(verification({ verifiedAt: at(-121) }), now))
  assert.isFalse(maySignIn(verification({ verifiedAt: at(61) }), now))
  assert.isFalse(maySignIn(verification({ verifiedAt: null }), now))
  assert.isFalse(maySignIn(verification({ verifiedAt: "yesterday" }), now))
  for (const authStatus of ["PENDING", "EXPIRED", "FAILED"] as const)
    assert.isFalse(maySignIn(verification({ authStatus }), now))
})

test("accepts a browser's claim that it started a verification only until its code is entered", () => {
  const pending = { authStatus: "PENDING", verifiedAt: null } as const
  assert.isTrue(isJustStarted(verification(pending), now))
  assert.isTrue(isJustStarted(verification({ ...pending, authStatus: "FAILED" }), now), "could not be delivered")
  assert.isFalse(isJustStarted(verification({ ...pending, authStatus: "EXPIRED" }), now))
  assert.isFalse(isJustStarted(verification({ ...pending, identityType: "EMAIL" }), now))
  assert.isFalse(isJustStarted(verification(), now), "verified with a code: somebody else's")
  assert.isTrue(isJustStarted(verification({ deliveries: [] }), now), "a trusted device")
  assert.isFalse(isJustStarted(verification({ deliveries: [], verifiedAt: at(-200) }), now))
})
