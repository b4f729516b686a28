import { Countersign, CountersignError } from "countersign"
import { MemoryStorage } from "countersign/memory"
import { HttpWebhookSender } from "countersign/webhooks"
import { afterAll, beforeAll, expect, it } from "vitest"

let countersign: Countersign
const sent: Array<string> = []

beforeAll(async () => {
  countersign = await Countersign.make({
    storage: MemoryStorage.layer,
    channels: [{ name: "SMS", send: async ({ code }) => void sent.push(code) }],
    webhooks: HttpWebhookSender.layer(),
    secret: "00".repeat(32)
  })
})
afterAll(() => countersign.close())

it("logs a person in with one import for the service and one for storage", async () => {
  const { requestId } = await countersign.initiate({ identity: "+919876543210", identityType: "MOBILE" })
  await expect.poll(() => sent).toHaveLength(1)
  expect(await countersign.verify({ requestId, otp: sent[0]! })).toMatchObject({ requestId, verified: true })
})

it("rejects with CountersignError of the same package", async () => {
  const wrong = countersign.initiate({ identity: "nobody", identityType: "MOBILE" })
  await expect(wrong).rejects.toBeInstanceOf(CountersignError)
})
