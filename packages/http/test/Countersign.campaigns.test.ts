import { MemoryStorage } from "@countersign/core/memory"
import { assert, it } from "vitest"
import { makeService, CountersignError } from "../src/index.ts"

it("an embedded service creates campaigns, and validates input as the HTTP API does", async () => {
  const countersign = await makeService({
    storage: MemoryStorage.layer,
    channels: [],
    secret: "00".repeat(32),
    environment: "test"
  })
  const { campaigns, templates } = countersign
  const fails = (promise: Promise<unknown>) =>
    promise.then(
      () => "nothing",
      (error: unknown) => (error instanceof CountersignError ? error.errorCode : String(error))
    )
  await templates.create({ name: "offer", channel: "SMS", purpose: "MESSAGE", body: "Hi {{name}}" })
  const csv = "phone,name\n98765 43210,Asha\n+919876543211,Ravi\n"
  const startAt = new Date(Date.now() + 3_600_000).toISOString()
  const request = { name: "Sunday", channel: "SMS", template: "offer", csv, startAt }
  assert.deepInclude(await campaigns.create({ ...request, dryRun: true }), {
    total: 2,
    duplicates: 0,
    optedOut: 0,
    cost: null
  })
  assert.deepStrictEqual((await campaigns.list()).items, [])
  const idempotencyKey = "9b2f5c1e-6f0a-4d0b-9a53-0d5c3f1e7a11"
  const made = await campaigns.create(request, { idempotencyKey })
  assert.deepInclude(made, { status: "SCHEDULED", total: 2, pending: 2, sent: 0 })
  assert.deepStrictEqual(await campaigns.create(request, { idempotencyKey }), made)
  assert.deepStrictEqual((await campaigns.list()).items, [made])
  const first = await campaigns.recipients(made.id, { limit: 1 })
  assert.deepStrictEqual(
    first.items.map(({ phone, values }) => [phone, values]),
    [["+919876543210", ["Asha"]]]
  )
  const second = await campaigns.recipients(made.id, { cursor: first.nextCursor!, status: "PENDING" })
  assert.deepStrictEqual([second.items[0]?.number, second.nextCursor], [3, null])
  assert.strictEqual((await campaigns.pause(made.id)).status, "PAUSED")
  assert.strictEqual((await campaigns.resume(made.id)).status, "SCHEDULED")
  assert.strictEqual((await campaigns.cancel(made.id)).status, "CANCELLED")
  assert.strictEqual((await campaigns.get(made.id)).status, "CANCELLED")
  assert.strictEqual(await fails(campaigns.resume(made.id)), "INVALID_REQUEST")
  assert.strictEqual(await fails(campaigns.get("cmp_none")), "CAMPAIGN_NOT_FOUND")
  assert.strictEqual(await fails(campaigns.create({ ...request, csv: "x" })), "CSV_VALIDATION_FAILED")
  assert.strictEqual(await fails(campaigns.create({} as never)), "INVALID_REQUEST")
  assert.strictEqual(await fails(campaigns.recipients(made.id, { cursor: "x" })), "INVALID_REQUEST")
  await countersign.close()
})
