import { assert, describe, it } from "vitest"
import { doneOf } from "../../src/screens/overview/firstSteps.ts"

const key = { type: "SERVER", lastUsedAt: null } as const

describe("the first steps of a merchant", () => {
  it("are all open for a new merchant with an owner and unused keys", () => {
    assert.deepStrictEqual(doneOf({ verifications: [], keys: [key], endpoints: [], agents: [{}] }), {
      tryIt: false,
      call: false,
      webhook: false,
      invite: false
    })
  })

  it("are done one by one: a code, a used server key, a webhook, a second team member", () => {
    const start = { verifications: [], keys: [key], endpoints: [], agents: [{}] }
    assert.isTrue(doneOf({ ...start, verifications: [{}] }).tryIt)
    assert.isTrue(doneOf({ ...start, keys: [key, { ...key, lastUsedAt: "2026-11-24T09:00:00.000Z" }] }).call)
    assert.isTrue(doneOf({ ...start, endpoints: [{}] }).webhook)
    assert.isTrue(doneOf({ ...start, agents: [{}, {}] }).invite)
  })

  it("need a request of the merchant's backend: a public key in an app is not one", () => {
    const keys = [{ type: "PUBLIC", lastUsedAt: "2026-11-24T09:00:00.000Z" }] as const
    assert.isFalse(doneOf({ verifications: [{}], keys, endpoints: [], agents: [{}] }).call)
  })
})
