import { MemoryStorage } from "@countersign/core/memory"
import { assert, it } from "vitest"
import { makeService } from "../src/index.ts"

it("an embedded service attributes launches only with the visitor's consent", async () => {
  const countersign = await makeService({
    storage: MemoryStorage.layer,
    channels: [],
    secret: "00".repeat(32),
    environment: "test"
  })
  const { attribution } = countersign
  const nothing = { recorded: false, launchId: null, launchToken: null }
  assert.deepStrictEqual(await attribution.launch({ consent: false, utm: { source: "ad" } }), nothing)
  const options = { clientAddress: "192.0.2.1", idempotencyKey: "1" }
  const launch = await attribution.launch({ consent: true, utm: { source: "ad" } }, options)
  assert.deepStrictEqual(await attribution.launch({ consent: true, utm: { source: "ad" } }, options), launch)
  const { launchId, launchToken } = launch
  await attribution.conversion({ event: "paid", value: 0.1, currency: "INR", launchId })
  const { items, nextCursor } = await attribution.report()
  assert.isNull(nextCursor)
  assert.deepStrictEqual(
    items.map(({ day: _, ...row }) => row),
    [
      {
        source: "ad",
        medium: null,
        campaign: null,
        launches: 1,
        verifications: 0,
        conversions: 1,
        leads: 0,
        values: [{ currency: "INR", value: 0.1 }]
      }
    ]
  )
  const fails = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => null,
      (error: { readonly errorCode: string }) => error.errorCode
    )
    return error
  }
  assert.strictEqual(await fails(attribution.report({ model: "linear" })), "INVALID_REQUEST")
  assert.strictEqual(await fails(attribution.conversion({} as never)), "INVALID_REQUEST")
  assert.strictEqual(
    await fails(attribution.withdraw(launchId!, { bearerToken: "wrong" })),
    "INVALID_CLIENT_CREDENTIALS"
  )
  await attribution.withdraw(launchId!, { bearerToken: launchToken! })
  assert.deepStrictEqual((await attribution.report()).items, [])
  await countersign.close()
})
