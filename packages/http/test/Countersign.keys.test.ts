import { MemoryStorage } from "@countersign/core/memory"
import { assert, describe, it } from "vitest"
import { makeService } from "../src/index.ts"

const secret = "0b".repeat(32)

describe("a service embedded without keys", () => {
  it("its mounted handler rejects the former default key names", async () => {
    const sent: Array<string> = []
    const countersign = await makeService({
      storage: MemoryStorage.layer,
      channels: [{ name: "SMS", send: async ({ to }) => void sent.push(to) }],
      secret
    })
    for (const key of ["pk_live_in_process", "pk_test_in_process", "cs_live_in_process"]) {
      const answer = await countersign.handler(
        new Request("http://localhost/v1/sdk/auth/initiate", {
          method: "POST",
          headers: { "x-public-key": key, "content-type": "application/json" },
          body: JSON.stringify({ phone: "+919876543210" })
        })
      )
      assert.strictEqual(answer.status, 401, key)
    }
    assert.deepStrictEqual(sent, [])
    await countersign.close()
  })
})
